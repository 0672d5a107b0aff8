// A grid with one row too many: the finding depends on the guessed shapes.
// run: init FILE
// exits: 1
// prints: f: write what it computes as `define`
// prints: each of them fails, this one with out-of-bounds in line
// prints not: whatever it computes
__global__ void f(float* x, float* y, int N, int K) {
  const int row = blockIdx.x;
  for (int j = threadIdx.x; j < K; j += blockDim.x)
    y[row * K + j] = x[row * K + j] + 2.5f * sinf(x[row * K]);
}
void run(float* x, float* y, int N, int K) { f<<<N + 1, 64>>>(x, y, N, K); }

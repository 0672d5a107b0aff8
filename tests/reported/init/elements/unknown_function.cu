// A correct kernel of an unknown function needs no limit: its contract lacks the definition alone.
// run: init FILE
// exits: 1
// prints: good: write what it computes as `define`
// prints not: requires
__global__ void good(const float* x, float* y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[i] = x[i] + 3.5f;
}

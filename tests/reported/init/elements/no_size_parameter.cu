// A kernel whose number of elements is a constant of its launch is no matrix product.
// run: init FILE
// exits: 1
// prints: add: no contract: no parameter is a size
// prints: such as "n == 262144" for the threads of the launch
// prints not: gemm
__global__ void add(float* a, float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
void run(float* a, float* b, float* c) { add<<<1024, 256>>>(a, b, c); }

// Neighbouring blocks overlap, and all of them write x[i] = i: no race, whichever block is first.
// prints not: error
__global__ void fill(unsigned* x) {
  const unsigned i = 18 * blockIdx.x + 4 * threadIdx.x;
  x[i] = i;
  x[i + 1] = i + 1;
  x[i + 2] = i + 2;
  x[i + 3] = i + 3;
}
int main() {
  unsigned* x;
  cudaMalloc(&x, 1 << 20);
  for (int i = 0; i < 4; ++i) fill<<<1024, 128>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

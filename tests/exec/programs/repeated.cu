// Launches one kernel six times, with two grids. With DEFECT, the first launch accesses
// memory out of bounds.
#include <cstdio>

__global__ void count(int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++counts[i];  // finding here
}

int main() {
  constexpr int n = 128;
  int* counts = nullptr;
  cudaMalloc(&counts, n * sizeof(int));
  cudaMemset(counts, 0, n * sizeof(int));
  for (int launch = 0; launch < 5; ++launch) {
#ifdef DEFECT
    count<<<1, 256>>>(counts, launch == 0 ? n + 1 : n);
#else
    count<<<1, 256>>>(counts, n);
#endif
  }
  count<<<2, 64>>>(counts, n);
  int first = 0;
  cudaMemcpy(&first, counts, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
  cudaFree(counts);
}

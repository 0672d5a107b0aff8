// Kernels that fill and copy memory in streams of the device, and that order them by events. The
// argument selects a defect.
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int n = 200;

__global__ void add(int* values, int by) { values[threadIdx.x] += by; }
__global__ void sum(const int* values, int* total) {
  atomicAdd(total, values[threadIdx.x]);  // the sum
}

__global__ void parent(int* values, int* copy, int* table, int* total, int defect) {
  if (cudaMemsetAsync(values, 0, n * sizeof(int), 0) != cudaSuccess) std::printf("no memset\n");
  add<<<1, n>>>(values, 2);
  // 20 rows of 10 integers to rows of 16
  cudaMemcpy2DAsync(table, 16 * sizeof(int), values, 10 * sizeof(int), 10 * sizeof(int), 20,
                    cudaMemcpyDeviceToDevice, 0);
  cudaMemcpyAsync(copy, values, (n + (defect == 1 ? 1 : 0)) * sizeof(int),  // the copy
                  cudaMemcpyDeviceToDevice, 0);
  cudaStream_t other;
  cudaEvent_t copied;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
  cudaEventRecord(copied, 0);
  if (defect != 2) cudaStreamWaitEvent(other, copied, 0);
  sum<<<1, n, 0, other>>>(copy, total);
  cudaEventDestroy(copied);
  cudaStreamDestroy(other);
  if (cudaGetLastError() != cudaSuccess) std::printf("an error\n");
}

int main(int count, char** arguments) {
  const int defect = count > 1 ? std::atoi(arguments[1]) : 0;
  int *values, *copy, *table, *total;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&copy, n * sizeof(int));
  cudaMalloc(&table, 16 * 20 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  parent<<<1, 1>>>(values, copy, table, total, defect);
  int result = 0, row[10];
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  cudaMemcpy(row, table + 16 * 19, sizeof row, cudaMemcpyDeviceToHost);
  const bool right = result == 2 * n && row[0] == 2 && row[9] == 2;
  std::puts(right ? "correct" : "wrong");
  for (int* one : {values, copy, table, total}) cudaFree(one);
}

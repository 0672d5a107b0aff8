// A kernel with the fault that the first argument names, and then calls that return its error.
#include <cstdio>
#include <cstring>

__global__ void trapping() { __trap(); }
__global__ void store(char* data, int first) { *reinterpret_cast<int*>(data + first) = 1; }
__global__ void set(int* data) { data[threadIdx.x] = 7; }

static void print(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main(int count, char** words) {
  const char* const what = count > 1 ? words[1] : "";
  int* data;
  int host = 0;
  cudaMalloc(&data, 32 * sizeof(int));
  if (std::strcmp(what, "trap") == 0) trapping<<<1, 32>>>();
  if (std::strcmp(what, "beyond") == 0) store<<<1, 1>>>(reinterpret_cast<char*>(data), 128);
  if (std::strcmp(what, "misaligned") == 0) store<<<1, 1>>>(reinterpret_cast<char*>(data), 2);
  print("launch", cudaPeekAtLastError());
  print("wait", cudaDeviceSynchronize());
  print("last", cudaGetLastError());
  print("again", cudaGetLastError());
  set<<<1, 33>>>(data);  // a second defect
  print("next launch", cudaGetLastError());
  print("copy", cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost));
  print("reset", cudaDeviceReset());
  print("after reset", cudaGetLastError());
  std::printf("value: %d\n", host);
}

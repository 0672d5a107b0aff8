// A child process opens memory and an event of its parent. An H200 prints the same.
// exits: 0
// prints: child: 6, again the same: 1, cudaSuccess cudaSuccess
// prints: parent: 6
// prints: 0 findings
#include <cstdio>
#include <cstdlib>

__global__ void add(int* x, int value) { x[threadIdx.x] += value; }

struct Handles {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

int use(const Handles& handles) {
  int *x, *again, value = 0;
  cudaEvent_t event;
  cudaIpcOpenMemHandle((void**)&x, handles.memory, cudaIpcMemLazyEnablePeerAccess);
  cudaIpcOpenMemHandle((void**)&again, handles.memory, cudaIpcMemLazyEnablePeerAccess);
  cudaIpcOpenEventHandle(&event, handles.event);
  cudaStreamWaitEvent(0, event, 0);
  add<<<1, 32>>>(x, 5);
  cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost);
  std::printf("child: %d, again the same: %d,", value, x == again);
  std::printf(" %s", cudaGetErrorName(cudaIpcCloseMemHandle(x)));
  std::printf(" %s\n", cudaGetErrorName(cudaIpcCloseMemHandle(x)));
  cudaEventDestroy(event);
  return 0;
}

int main(int count, char**) {
  Handles handles;
  if (count > 1) {
    FILE* const file = std::fopen("handles", "rb");
    if (std::fread(&handles, sizeof handles, 1, file) != 1) return 7;
    return use(handles);
  }
  int* x;
  cudaEvent_t event;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming);
  add<<<1, 32>>>(x, 1);
  cudaEventRecord(event, 0);
  cudaIpcGetMemHandle(&handles.memory, x);
  cudaIpcGetEventHandle(&handles.event, event);
  cudaDeviceSynchronize();
  FILE* const file = std::fopen("handles", "wb");
  std::fwrite(&handles, sizeof handles, 1, file);
  std::fclose(file);
  if (std::system("./program use") != 0) return 7;
  int value = 0;
  cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost);
  std::printf("parent: %d\n", value);
  cudaFree(x);
  std::fflush(stdout);
  return 0;
}

// Calls the CUDA runtime in the wrong way that the first argument names, and prints the error.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__constant__ float table[16];

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }

static float on_host[16];

int main(int count, char** words) {
  const char* const what = count > 1 ? words[1] : "";
  const auto is = [what](const char* word) { return std::strcmp(what, word) == 0; };
  int* device;
  int* other;
  cudaMalloc(&device, 256);
  cudaMalloc(&other, 256);
  cudaMemset(device, 0, 256);
  int* const pageable = static_cast<int*>(std::calloc(256, 4));
  int* pinned;
  cudaMallocHost(&pinned, 256);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaError_t error = cudaSuccess;
  if (is("no-blocks")) add_one<<<0, 32>>>(device);
  if (is("threads")) add_one<<<1, 1025>>>(device);
  if (is("block-z")) add_one<<<1, dim3(1, 1, 65)>>>(device);
  if (is("grid-y")) add_one<<<dim3(1, 65536), 1>>>(device);
  if (is("shared")) add_one<<<1, 32, 49153>>>(device);
  if (is("null-kernel")) error = cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr);
  if (is("attribute"))
    error = cudaFuncSetAttribute(add_one, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);
  if (is("to-host")) error = cudaMemcpy(pageable, pinned, 64, cudaMemcpyHostToDevice);
  if (is("from-host")) error = cudaMemcpy(pinned, pageable, 64, cudaMemcpyDeviceToHost);
  if (is("swapped")) error = cudaMemcpy(pageable, device, 64, cudaMemcpyHostToDevice);
  if (is("host-device")) error = cudaMemcpy(device, pageable, 64, cudaMemcpyHostToHost);
  if (is("kind")) error = cudaMemcpy(device, pageable, 64, static_cast<cudaMemcpyKind>(7));
  if (is("null")) error = cudaMemcpy(device, nullptr, 64, cudaMemcpyHostToDevice);
  if (is("beyond")) error = cudaMemcpy(device, pageable, 260, cudaMemcpyHostToDevice);
  if (is("beyond-source")) error = cudaMemcpy(pageable, device + 60, 64, cudaMemcpyDeviceToHost);
  if (is("beyond-both")) error = cudaMemcpy(device, other, 260, cudaMemcpyDeviceToDevice);
  if (is("freed")) {
    cudaFree(device);
    error = cudaMemcpy(pageable, device, 64, cudaMemcpyDeviceToHost);
  }
  if (is("pitch")) error = cudaMemcpy2D(device, 16, pageable, 32, 32, 2, cudaMemcpyHostToDevice);
  if (is("rows")) error = cudaMemcpy2D(device, 64, pageable, 64, 64, 5, cudaMemcpyHostToDevice);
  if (is("memset")) error = cudaMemset(device, 0, 260);
  if (is("memset-host")) error = cudaMemset(pageable, 0, 64);
  if (is("memset-pitch")) error = cudaMemset2D(device, 16, 0, 32, 2);
  if (is("interior")) error = cudaFree(device + 1);
  if (is("free-host")) error = cudaFree(pageable);
  if (is("free-pinned")) error = cudaFree(pinned);
  if (is("free-host-device")) error = cudaFreeHost(device);
  if (is("free-host-pageable")) error = cudaFreeHost(pageable);
  if (is("free-symbol")) {
    void* address;
    cudaGetSymbolAddress(&address, table);
    error = cudaFree(address);
  }
  if (is("twice")) {
    cudaFree(device);
    error = cudaFree(device);
  }
  if (is("twice-host")) {
    cudaFreeHost(pinned);
    error = cudaFreeHost(pinned);
  }
  if (is("symbol")) error = cudaMemcpyToSymbol(table, pageable, 68);
  if (is("symbol-offset")) error = cudaMemcpyToSymbol(table, pageable, 4, 64);
  if (is("symbol-kind")) error = cudaMemcpyToSymbol(table, pageable, 4, 0, cudaMemcpyDeviceToHost);
  if (is("from-symbol-kind"))
    error = cudaMemcpyFromSymbol(pageable, table, 4, 0, cudaMemcpyHostToDevice);
  if (is("no-symbol")) error = cudaMemcpyToSymbol(on_host, pageable, 4);
  if (is("stream")) {
    cudaStreamDestroy(stream);
    error = cudaStreamSynchronize(stream);
  }
  if (is("launch-stream")) {
    cudaStreamDestroy(stream);
    add_one<<<1, 32, 0, stream>>>(device);
  }
  if (is("copy-stream")) {
    cudaStreamDestroy(stream);
    error = cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, stream);
  }
  if (is("stream-twice")) {
    cudaStreamDestroy(stream);
    error = cudaStreamDestroy(stream);
  }
  if (is("event")) {
    cudaEventDestroy(event);
    error = cudaEventRecord(event);
  }
  if (is("event-null")) error = cudaEventRecord(nullptr);
  if (is("event-twice")) {
    cudaEventDestroy(event);
    error = cudaEventDestroy(event);
  }
  if (is("unrecorded")) {
    float time;
    error = cudaEventElapsedTime(&time, event, event);
  }
  if (is("device")) error = cudaSetDevice(99);
  if (is("malloc-null")) error = cudaMalloc(static_cast<void**>(nullptr), 4);
  if (is("host-pointer")) {
    void* pointer;
    error = cudaHostGetDevicePointer(&pointer, pageable, 0);
  }
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

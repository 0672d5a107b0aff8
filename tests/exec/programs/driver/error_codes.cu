// The driver's own error codes where the runtime has others, and those that functions of the host
// in a stream receive.
#include <cuda.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "check.h"

__global__ void store(int* data, int first) { data[first + threadIdx.x] = 1; }
__global__ void trapping() { __trap(); }

const char* name_of(CUresult result) {
  const char* name = nullptr;
  return cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "no name";
}

void CUDA_CB print(CUstream, CUresult status, void* data) {
  std::printf("%s: %s\n", static_cast<const char*>(data), name_of(status));
}
void CUDART_CB print_of_runtime(cudaStream_t, cudaError_t status, void* data) {
  std::printf("%s: %s\n", static_cast<const char*>(data), cudaGetErrorName(status));
}
void CUDA_CB called(void* data) { std::printf("%s\n", static_cast<const char*>(data)); }

// The function may wait for a thread that calls the driver.
void CUDA_CB wait_for_thread(CUstream, CUresult, void* data) {
  const auto* const done = static_cast<std::atomic<bool>*>(data);
  while (!*done) std::this_thread::yield();
}

// Linear filtering needs texels that are read as floating-point numbers.
CUresult filter_integers() {
  CUDA_ARRAY_DESCRIPTOR of_array{16, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1};
  CUDA_RESOURCE_DESC resource{};
  CHECK(cuArrayCreate(&resource.res.array.hArray, &of_array));
  CUDA_TEXTURE_DESC of_texture{};
  of_texture.filterMode = CU_TR_FILTER_MODE_LINEAR;
  of_texture.flags = CU_TRSF_READ_AS_INTEGER;
  CUtexObject texture;
  const CUresult result = cuTexObjectCreate(&texture, &resource, &of_texture, nullptr);
  CHECK(cuArrayDestroy(resource.res.array.hArray));
  return result;
}

int main(int count, char** words) {
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  std::atomic<bool> done{false};
  CUcontext context;
  CHECK(cuCtxGetCurrent(&context));
  std::thread other([&] {
    CHECK(cuCtxSetCurrent(context));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // main() is then in the function
    CHECK(cuStreamQuery(nullptr));
    done = true;
  });
  CHECK(cuStreamAddCallback(stream, wait_for_thread, &done, 0));
  other.join();
  const CUstream destroyed = stream;
  CHECK(cuStreamDestroy(stream));
  std::printf("destroyed: %s, ", name_of(cuStreamAddCallback(destroyed, print, nullptr, 0)));
  std::printf("%s, ", name_of(cuLaunchHostFunc(destroyed, called, nullptr)));
  std::printf("%s\n", name_of(cuGraphLaunch(nullptr, nullptr)));
  std::printf("texture: %s\n", name_of(filter_integers()));
  std::printf("pc: %s\n", name_of(CUDA_ERROR_INVALID_PC));
  std::printf("runtime: %s\n", cudaGetErrorName(cudaGetLastError()));
  if (count > 1) {
    trapping<<<1, 32>>>();
  } else {
    store<<<1, 32>>>(data, 1);
  }
  const auto driver = cuStreamAddCallback(nullptr, print, const_cast<char*>("driver"), 0);
  const auto runtime =
      cudaStreamAddCallback(nullptr, print_of_runtime, const_cast<char*>("runtime"), 0);
  const auto function = cuLaunchHostFunc(nullptr, called, const_cast<char*>("called"));
  std::printf("%s, %s, %s\n", name_of(driver), cudaGetErrorName(runtime), name_of(function));
}

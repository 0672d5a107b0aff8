// A program without kernels, whose first call of the runtime makes the primary context current.
// With an argument, it calls the driver alone, which needs a context.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

int main(int argc, char**) {
  cuInit(0);
  if (argc == 1) cudaFree(nullptr);
  CUcontext context = nullptr;
  cuCtxGetCurrent(&context);
  CUdeviceptr memory = 0;
  const CUresult result = cuMemAlloc(&memory, 64);
  std::printf("%s, %d\n", context == nullptr ? "no context" : "a context",
              static_cast<int>(result));
  if (result == CUDA_SUCCESS) cuMemFree(memory);
}

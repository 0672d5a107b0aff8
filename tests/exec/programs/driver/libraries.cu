// A library of PTX whose kernels the program looks up by number. With DEFECT, it launches one with
// a thread too many.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#include "check.h"

const char* const kPtx = R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 scale = 3;
.visible .entry multiply(.param .u64 data, .param .u32 count)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  .reg .pred %p;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  ld.global.u32 %r4, [scale];
  mul.lo.u32 %r3, %r3, %r4;
  st.global.u32 [%rd3], %r3;
  ret;
}
.visible .entry nothing()
{
  ret;
}
)";

int main() {
  CHECK(cuInit(0));
  CUcontext context;
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CUlibrary library;
  CHECK(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  CHECK(cuLibraryGetKernelCount(&count, library));
  CUkernel kernels[2] = {};
  CHECK(cuLibraryEnumerateKernels(kernels, 2, library));
  bool right = count == 2;
  CUkernel multiply = nullptr;
  for (CUkernel kernel : kernels) {
    const char* name;
    CHECK(cuKernelGetName(&name, kernel));
    if (std::strcmp(name, "multiply") == 0) multiply = kernel;
  }
  CUmodule module;
  CUfunction functions[2] = {};
  CHECK(cuLibraryGetModule(&module, library));
  CHECK(cuModuleEnumerateFunctions(functions, 2, module));
  CUkernel same;
  CHECK(cuLibraryGetKernel(&same, library, "multiply"));
  int threads = 0;
  CHECK(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, same, 0));
  CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50, same, 0));
  CHECK(cuKernelSetCacheConfig(same, CU_FUNC_CACHE_PREFER_L1, 0));
  size_t offset = 0, bytes = 0;
  CHECK(cuKernelGetParamInfo(same, 1, &offset, &bytes));
  right = right && same == multiply && threads == 1024 && offset == 8 && bytes == 4;
  CUdeviceptr scale, data;
  CHECK(cuLibraryGetGlobal(&scale, &bytes, library, "scale"));
  unsigned values[40];
  for (unsigned i = 0; i < 40; ++i) values[i] = i;
  CHECK(cuMemAlloc(&data, sizeof values));
  CHECK(cuMemcpyHtoD(data, values, sizeof values));
#ifdef DEFECT
  unsigned n = 41;
#else
  unsigned n = 40;
#endif
  void* arguments[] = {&data, &n};
  const auto function = reinterpret_cast<CUfunction>(multiply);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(values, data, sizeof values));
  for (unsigned i = 0; i < 40; ++i) right = right && values[i] == 3 * i;
  CHECK(cuMemFree(data));
  CHECK(cuLibraryUnload(library));
  CHECK(cuDevicePrimaryCtxRelease(0));
  std::puts(right && functions[1] != nullptr ? "correct" : "wrong");
}

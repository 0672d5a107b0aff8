// The driver API: PTX that is linked and loaded at run time, copies of rows, streams and graphs.
// With DEFECT, one thread too many is launched.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                 \
  do {                                              \
    if (const CUresult result = (call)) {           \
      const char* name = nullptr;                   \
      cuGetErrorName(result, &name);                \
      std::printf("line %d: %s\n", __LINE__, name); \
      return 7;                                     \
    }                                               \
  } while (false)

// out[i] = scaled(in[i]), with scaled() and its factor in the other text.
const char* const kKernel = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) scaled (.param .b32 value);
.visible .entry scale(.param .u64 out, .param .u64 in) {
  .reg .b32 %i; .reg .b32 %v; .reg .b64 %o; .reg .b64 %p; .reg .b64 %d;
  ld.param.u64 %o, [out];
  ld.param.u64 %p, [in];
  mov.u32 %i, %tid.x;
  mul.wide.u32 %d, %i, 4;
  add.u64 %p, %p, %d;
  add.u64 %o, %o, %d;
  ld.global.u32 %v, [%p];
  { .param .b32 a; .param .b32 r;
    st.param.b32 [a], %v;
    call (r), scaled, (a);
    ld.param.b32 %v, [r]; }
  st.global.u32 [%o], %v;
  ret;
}
)";
const char* const kPart = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .u32 factor = 3;
.visible .func (.param .b32 result) scaled (.param .b32 value) {
  .reg .b32 %v; .reg .b32 %f;
  ld.param.b32 %v, [value];
  ld.global.u32 %f, [factor];
  mul.lo.s32 %v, %v, %f;
  st.param.b32 [result], %v;
  ret;
}
)";

constexpr int n = 32;
constexpr size_t bytes = n * sizeof(int);

int run(CUmodule module) {
  CUfunction kernel;
  CHECK(cuModuleGetFunction(&kernel, module, "scale"));
  if (cuModuleGetFunction(&kernel, module, "none") != CUDA_ERROR_NOT_FOUND) return 8;
  CHECK(cuModuleGetFunction(&kernel, module, "scale"));
  CUdeviceptr in, out, factor;
  size_t size = 0, pitch = 0;
  CHECK(cuModuleGetGlobal(&factor, &size, module, "factor"));
  if (size != 4) return 8;
  CHECK(cuMemsetD32(factor, 5, 1));
  CHECK(cuMemAllocPitch(&in, &pitch, bytes / 2, 2, 4));
  CHECK(cuMemAlloc(&out, bytes));
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  CUDA_MEMCPY2D rows{};  // two rows of 16 elements
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = host.data();
  rows.srcPitch = bytes / 2;
  rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  rows.dstDevice = in;
  rows.dstPitch = pitch;
  rows.WidthInBytes = bytes / 2;
  rows.Height = 2;
  CHECK(cuMemcpy2D(&rows));
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUgraph graph;
  CUgraphExec exec;
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  unsigned threads = n / 2;
  for (int row = 0; row < 2; ++row) {
    CUdeviceptr from = in + row * pitch, to = out + row * bytes / 2;
    void* arguments[] = {&to, &from};
#ifdef DEFECT
    threads = n / 2 + row;
#endif
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
  }
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK(cuGraphLaunch(exec, stream));
  CHECK(cuMemcpyDtoHAsync(host.data(), out, bytes, stream));
  CHECK(cuStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) {
    if (host[i] != 5 * i) return 9;
  }
  struct {
    CUdeviceptr to, from;
  } packed = {out, in};
  size_t packed_bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &packed_bytes, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, stream, nullptr, extra));
  int blocks = 0;
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(in));
  CHECK(cuMemFree(out));
  return blocks == 8 ? 0 : 10;
}

int main() {
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context, current;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuCtxGetCurrent(&current));
  if (current != context) return 11;
  CUlinkState link;
  void* image;
  size_t size;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
  for (const char* text : {kKernel, kPart}) {
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(text), std::strlen(text) + 1,
                        "text", 0, nullptr, nullptr));
  }
  CHECK(cuLinkComplete(link, &image, &size));
  CUmodule module;
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuLinkDestroy(link));
  const int status = run(module);
  if (status != 0) return status;
  CHECK(cuModuleUnload(module));
  void* function = nullptr;
  CHECK(cuGetProcAddress("cuMemAlloc", &function, CUDA_VERSION, 0, nullptr));
  if (function != reinterpret_cast<void*>(&cuMemAlloc)) return 12;
  CHECK(cuDevicePrimaryCtxRelease(device));
  std::puts("correct");
}

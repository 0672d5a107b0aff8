// Compiles a kernel when it runs, and launches it with the driver API. The argument "defect"
// compiles one that reads beyond the memory.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

const char* const kSource = R"(template <typename T>
__global__ void shift(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + OFFSET];
}
)";

std::string compiled(const char* offset, std::string& name) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kSource, "shift.cu", 0, nullptr, nullptr);
  nvrtcAddNameExpression(program, "shift<float>");
  const char* options[] = {"--gpu-architecture=compute_80", "-lineinfo", offset};
  if (nvrtcCompileProgram(program, 3, options) != NVRTC_SUCCESS) return "";
  const char* lowered = nullptr;
  nvrtcGetLoweredName(program, "shift<float>", &lowered);
  name = lowered;
  size_t bytes = 0;
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, '\0');
  nvrtcGetPTX(program, ptx.data());
  nvrtcDestroyProgram(&program);
  return ptx;
}

int main(int count, char**) {
  std::string name;
  const std::string ptx = compiled(count > 1 ? "-DOFFSET=1" : "-DOFFSET=0", name);
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, nullptr, 0, device);
  if (cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr) != CUDA_SUCCESS) return 7;
  if (cuModuleGetFunction(&kernel, module, name.c_str()) != CUDA_SUCCESS) return 8;
  int n = 100;
  std::vector<float> host(n, 2.5f);
  CUdeviceptr in, out;
  cuMemAlloc(&in, n * sizeof(float));
  cuMemAlloc(&out, n * sizeof(float));
  cuMemcpyHtoD(in, host.data(), n * sizeof(float));
  void* arguments[] = {&in, &out, &n};
  cuLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  std::vector<float> result(n);
  cuMemcpyDtoH(result.data(), out, n * sizeof(float));
  cuMemFree(in);
  cuMemFree(out);
  cuCtxDestroy(context);
  if (count == 1 && result != host) return 9;
  std::puts("correct");
}

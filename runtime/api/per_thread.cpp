// The functions of programs compiled with -default-stream per-thread: a null stream is that of the
// thread. They have the suffix _ptsz if they have a stream, and else _ptds.
#include <type_traits>
#include <utility>

#include "runtime/driver/driver.hpp"
#include "runtime/work/streams.hpp"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warpcheck::runtime {
namespace {

/// Replaces a null stream; other arguments do not change.
template <typename Argument>
Argument with_stream_of_thread(Argument argument) {
  if constexpr (std::is_same_v<Argument, cudaStream_t>) {
    if (argument == nullptr) return cudaStreamPerThread;
  }
  return argument;
}

template <auto Function>
struct PerThread;

template <typename Error, typename... Arguments, Error (*Function)(Arguments...)>
struct PerThread<Function> {
  static Error call(Arguments... arguments) {
    const cudaStream_t before = std::exchange(default_stream(), cudaStreamPerThread);
    const Error error = Function(with_stream_of_thread(arguments)...);
    default_stream() = before;
    return error;
  }
};

}  // namespace
}  // namespace warpcheck::runtime

// The linker resolves each function to the template's, which has the parameters of the function
// without suffix.
#define WARPCHECK_PER_THREAD(function, suffix)              \
  decltype(&function) resolve_##function##suffix() {        \
    return &warpcheck::runtime::PerThread<&function>::call; \
  }                                                         \
  extern __attribute__((visibility("default"),              \
                        ifunc("resolve_" #function #suffix))) decltype(function) function##suffix;

extern "C" {
WARPCHECK_PER_THREAD(__cudaLaunchKernel, _ptsz)
WARPCHECK_PER_THREAD(cuEventRecord, _ptsz)
WARPCHECK_PER_THREAD(cuEventRecordWithFlags, _ptsz)
WARPCHECK_PER_THREAD(cuGraphInstantiateWithParams, _ptsz)
WARPCHECK_PER_THREAD(cuGraphLaunch, _ptsz)
WARPCHECK_PER_THREAD(cuGraphUpload, _ptsz)
WARPCHECK_PER_THREAD(cuLaunchCooperativeKernel, _ptsz)
WARPCHECK_PER_THREAD(cuLaunchHostFunc, _ptsz)
WARPCHECK_PER_THREAD(cuLaunchKernel, _ptsz)
WARPCHECK_PER_THREAD(cuLaunchKernelEx, _ptsz)
WARPCHECK_PER_THREAD(cuMemAllocAsync, _ptsz)
WARPCHECK_PER_THREAD(cuMemFreeAsync, _ptsz)
WARPCHECK_PER_THREAD(cuMemPrefetchAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpy2DAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpy3DAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpyAsync, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpyAtoHAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpyHtoAAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpyDtoDAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpyDtoHAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpyHtoDAsync_v2, _ptsz)
WARPCHECK_PER_THREAD(cuMemsetD16Async, _ptsz)
WARPCHECK_PER_THREAD(cuMemsetD32Async, _ptsz)
WARPCHECK_PER_THREAD(cuMemsetD8Async, _ptsz)
WARPCHECK_PER_THREAD(cuStreamBeginCapture_v2, _ptsz)
WARPCHECK_PER_THREAD(cuStreamEndCapture, _ptsz)
WARPCHECK_PER_THREAD(cuStreamGetFlags, _ptsz)
WARPCHECK_PER_THREAD(cuStreamGetPriority, _ptsz)
WARPCHECK_PER_THREAD(cuStreamIsCapturing, _ptsz)
WARPCHECK_PER_THREAD(cuStreamAddCallback, _ptsz)
WARPCHECK_PER_THREAD(cuStreamAttachMemAsync, _ptsz)
WARPCHECK_PER_THREAD(cuStreamBeginCaptureToGraph, _ptsz)
WARPCHECK_PER_THREAD(cuStreamGetCaptureInfo_v3, _ptsz)
WARPCHECK_PER_THREAD(cuStreamGetId, _ptsz)
WARPCHECK_PER_THREAD(cuStreamQuery, _ptsz)
WARPCHECK_PER_THREAD(cuStreamSynchronize, _ptsz)
WARPCHECK_PER_THREAD(cuStreamWaitEvent, _ptsz)
WARPCHECK_PER_THREAD(cudaEventRecord, _ptsz)
WARPCHECK_PER_THREAD(cudaEventRecordWithFlags, _ptsz)
WARPCHECK_PER_THREAD(cudaFreeAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaGetDriverEntryPoint, _ptsz)
WARPCHECK_PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz)
WARPCHECK_PER_THREAD(cudaGraphInstantiateWithParams, _ptsz)
WARPCHECK_PER_THREAD(cudaGraphLaunch, _ptsz)
WARPCHECK_PER_THREAD(cudaGraphUpload, _ptsz)
WARPCHECK_PER_THREAD(cudaLaunchCooperativeKernel, _ptsz)
WARPCHECK_PER_THREAD(cudaLaunchHostFunc, _ptsz)
WARPCHECK_PER_THREAD(cudaLaunchKernel, _ptsz)
WARPCHECK_PER_THREAD(cudaLaunchKernelExC, _ptsz)
WARPCHECK_PER_THREAD(cudaMallocAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMallocFromPoolAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemPrefetchAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpy2DAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpy3DAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpyAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpyBatchAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpyToArrayAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemset2DAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemset3DAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaMemsetAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamAddCallback, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamAttachMemAsync, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamBeginCapture, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamBeginCaptureToGraph, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamCopyAttributes, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamEndCapture, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamGetAttribute, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamGetDevice, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamGetFlags, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamGetId, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamGetPriority, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamIsCapturing, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamQuery, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamSetAttribute, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamSynchronize, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz)
WARPCHECK_PER_THREAD(cudaStreamWaitEvent, _ptsz)
WARPCHECK_PER_THREAD(cuMemcpy, _ptds)
WARPCHECK_PER_THREAD(cuMemcpy2DUnaligned_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpy2D_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpy3D_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyAtoA_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyAtoD_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyAtoH_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyDtoA_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyHtoA_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyDtoD_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyDtoH_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyHtoD_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemcpyPeer, _ptds)
WARPCHECK_PER_THREAD(cuMemsetD16_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemsetD2D16_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemsetD2D32_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemsetD2D8_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemsetD32_v2, _ptds)
WARPCHECK_PER_THREAD(cuMemsetD8_v2, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpy, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpy2D, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpy2DArrayToArray, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpy2DFromArray, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpy2DToArray, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpy3D, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpy3DPeer, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpyFromArray, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpyFromSymbol, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpyToArray, _ptds)
WARPCHECK_PER_THREAD(cudaMemcpyToSymbol, _ptds)
WARPCHECK_PER_THREAD(cudaMemset, _ptds)
WARPCHECK_PER_THREAD(cudaMemset2D, _ptds)
WARPCHECK_PER_THREAD(cudaMemset3D, _ptds)
}

// The functions of the driver that a function of the runtime implements.
#include <algorithm>
#include <bit>
#include <tuple>
#include <type_traits>

#include "runtime/driver/driver.hpp"

namespace warpcheck::runtime {
namespace {

/// An argument, which converts to the type of the runtime's parameter. The handles, the numbers of
/// enumerations and the layouts of structs are the same in both.
template <typename Own>
struct Argument {
  Own own;

  template <typename To>
  operator To() const {
    if constexpr (std::is_convertible_v<Own, To>) {
      return own;
    } else if constexpr (std::is_pointer_v<To>) {
      if constexpr (requires { sizeof(std::remove_pointer_t<To>) == sizeof(*own); }) {
        static_assert(sizeof(std::remove_pointer_t<To>) == sizeof(*own));
      }
      return reinterpret_cast<To>(own);
    } else if constexpr (std::is_enum_v<To>) {
      return static_cast<To>(own);
    } else {
      return std::bit_cast<To>(own);
    }
  }
};

/// A struct whose layout differs from that of the runtime's.
template <typename To>
struct Converted {
  To value;
  operator const To*() const { return &value; }
};

template <typename Own>
std::tuple<Argument<Own>> argument_of(Own own) {
  return {{own}};
}

/// Functions of the runtime have no contexts.
std::tuple<> argument_of(CUcontext) { return {}; }

std::tuple<Converted<cudaKernelNodeParams>> argument_of(const CUDA_KERNEL_NODE_PARAMS* from) {
  void* const kernel = from->func != nullptr ? static_cast<void*>(from->func) : from->kern;
  return {{{kernel,
            {from->gridDimX, from->gridDimY, from->gridDimZ},
            {from->blockDimX, from->blockDimY, from->blockDimZ},
            from->sharedMemBytes,
            from->kernelParams,
            from->extra}}};
}

std::tuple<Converted<cudaMemsetParams>> argument_of(const CUDA_MEMSET_NODE_PARAMS* from) {
  return {{{pointer_to_device(from->dst), from->pitch, from->value, from->elementSize, from->width,
            from->height}}};
}

std::tuple<Converted<cudaHostNodeParams>> argument_of(const CUDA_HOST_NODE_PARAMS* from) {
  return {{{from->fn, from->userData}}};
}

/// The name of a function as a template's argument.
struct Name {
  char text[64] = {};
  template <std::size_t bytes>
  consteval Name(const char (&name)[bytes]) {
    std::copy(name, name + bytes, text);
  }
};

/// A function may require a current context of the thread that calls it. One that may call
/// functions of the host runs while the runtime is not locked.
enum class Needs { nothing, context, context_unlocked };

template <Needs needs, Name name, auto Target, typename Function>
struct Forwarded;

template <Needs needs, Name name, auto Target, typename... Own>
struct Forwarded<needs, name, Target, CUresult(Own...)> {
  static CUresult call(Own... own) {
    const auto target = [&] { return std::apply(Target, std::tuple_cat(argument_of(own)...)); };
    if constexpr (needs == Needs::nothing) {
      return driver_call([&](Runtime&) { return target(); });
    } else if constexpr (needs == Needs::context) {
      return context_call(name.text, [&](Runtime&) { return target(); });
    } else {
      return forward_unlocked(name.text, target);
    }
  }
};

}  // namespace
}  // namespace warpcheck::runtime

using warpcheck::runtime::Forwarded;
using enum warpcheck::runtime::Needs;

// The linker resolves each function of the driver to the template's, which has its parameters.
#define WARPCHECK_FORWARD(needs, function, target)                          \
  decltype(&function) resolve_##function() {                                \
    return &Forwarded<needs, #function, &target, decltype(function)>::call; \
  }                                                                         \
  extern __attribute__((visibility("default"),                              \
                        ifunc("resolve_" #function))) decltype(function) function;

extern "C" {
WARPCHECK_FORWARD(nothing, cuDeviceGetAttribute, cudaDeviceGetAttribute)
WARPCHECK_FORWARD(nothing, cuDeviceGraphMemTrim, cudaDeviceGraphMemTrim)
WARPCHECK_FORWARD(nothing, cuDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute)
WARPCHECK_FORWARD(nothing, cuDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute)
WARPCHECK_FORWARD(nothing, cuCtxGetLimit, cudaDeviceGetLimit)
WARPCHECK_FORWARD(nothing, cuCtxSetLimit, cudaDeviceSetLimit)
WARPCHECK_FORWARD(context, cuCtxSynchronize, cudaDeviceSynchronize)
WARPCHECK_FORWARD(nothing, cuFuncSetAttribute, cudaFuncSetAttribute)
WARPCHECK_FORWARD(nothing, cuFuncGetName, cudaFuncGetName)
WARPCHECK_FORWARD(nothing, cuFuncGetParamInfo, cudaFuncGetParamInfo)
WARPCHECK_FORWARD(nothing, cuKernelGetName, cudaFuncGetName)
WARPCHECK_FORWARD(nothing, cuKernelGetParamInfo, cudaFuncGetParamInfo)
WARPCHECK_FORWARD(nothing, cuOccupancyMaxActiveBlocksPerMultiprocessor,
                  cudaOccupancyMaxActiveBlocksPerMultiprocessor)
WARPCHECK_FORWARD(nothing, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
WARPCHECK_FORWARD(nothing, cuOccupancyAvailableDynamicSMemPerBlock,
                  cudaOccupancyAvailableDynamicSMemPerBlock)
WARPCHECK_FORWARD(context_unlocked, cuLaunchHostFunc, cudaLaunchHostFunc)
WARPCHECK_FORWARD(context, cuStreamCreate, cudaStreamCreateWithFlags)
WARPCHECK_FORWARD(context, cuStreamCreateWithPriority, cudaStreamCreateWithPriority)
WARPCHECK_FORWARD(context, cuStreamDestroy, cudaStreamDestroy)
WARPCHECK_FORWARD(context, cuStreamSynchronize, cudaStreamSynchronize)
WARPCHECK_FORWARD(context, cuStreamQuery, cudaStreamQuery)
WARPCHECK_FORWARD(context, cuStreamWaitEvent, cudaStreamWaitEvent)
WARPCHECK_FORWARD(context, cuStreamGetFlags, cudaStreamGetFlags)
WARPCHECK_FORWARD(context, cuStreamGetPriority, cudaStreamGetPriority)
WARPCHECK_FORWARD(context, cuStreamGetId, cudaStreamGetId)
WARPCHECK_FORWARD(context, cuStreamAttachMemAsync, cudaStreamAttachMemAsync)
WARPCHECK_FORWARD(context, cuStreamBeginCapture, cudaStreamBeginCapture)
WARPCHECK_FORWARD(context, cuStreamBeginCaptureToGraph, cudaStreamBeginCaptureToGraph)
WARPCHECK_FORWARD(context, cuStreamEndCapture, cudaStreamEndCapture)
WARPCHECK_FORWARD(context, cuStreamIsCapturing, cudaStreamIsCapturing)
WARPCHECK_FORWARD(context, cuStreamGetCaptureInfo, cudaStreamGetCaptureInfo)
WARPCHECK_FORWARD(context, cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode)
WARPCHECK_FORWARD(context, cuEventCreate, cudaEventCreateWithFlags)
WARPCHECK_FORWARD(context, cuEventDestroy, cudaEventDestroy)
WARPCHECK_FORWARD(context, cuEventRecord, cudaEventRecord)
WARPCHECK_FORWARD(context, cuEventRecordWithFlags, cudaEventRecordWithFlags)
WARPCHECK_FORWARD(context, cuEventQuery, cudaEventQuery)
WARPCHECK_FORWARD(context, cuEventSynchronize, cudaEventSynchronize)
WARPCHECK_FORWARD(context, cuEventElapsedTime, cudaEventElapsedTime)
WARPCHECK_FORWARD(context, cuMemFreeAsync, cudaFreeAsync)
WARPCHECK_FORWARD(context, cuMemHostGetFlags, cudaHostGetFlags)
WARPCHECK_FORWARD(context, cuMemGetInfo, cudaMemGetInfo)
WARPCHECK_FORWARD(context, cuMemPrefetchAsync, cudaMemPrefetchAsync)
WARPCHECK_FORWARD(context, cuMemAdvise, cudaMemAdvise)
WARPCHECK_FORWARD(context, cuMemRangeGetAttribute, cudaMemRangeGetAttribute)
WARPCHECK_FORWARD(context, cuMemRangeGetAttributes, cudaMemRangeGetAttributes)
WARPCHECK_FORWARD(context, cuIpcGetMemHandle, cudaIpcGetMemHandle)
WARPCHECK_FORWARD(context, cuIpcCloseMemHandle, cudaIpcCloseMemHandle)
WARPCHECK_FORWARD(context, cuIpcGetEventHandle, cudaIpcGetEventHandle)
WARPCHECK_FORWARD(context, cuIpcOpenEventHandle, cudaIpcOpenEventHandle)
WARPCHECK_FORWARD(context, cuArrayDestroy, cudaFreeArray)
WARPCHECK_FORWARD(context, cuMipmappedArrayGetLevel, cudaGetMipmappedArrayLevel)
WARPCHECK_FORWARD(context, cuMipmappedArrayDestroy, cudaFreeMipmappedArray)
WARPCHECK_FORWARD(context, cuTexObjectDestroy, cudaDestroyTextureObject)
WARPCHECK_FORWARD(context, cuSurfObjectDestroy, cudaDestroySurfaceObject)
WARPCHECK_FORWARD(context, cuGraphCreate, cudaGraphCreate)
WARPCHECK_FORWARD(context, cuGraphClone, cudaGraphClone)
WARPCHECK_FORWARD(context, cuGraphDestroy, cudaGraphDestroy)
WARPCHECK_FORWARD(context, cuGraphDestroyNode, cudaGraphDestroyNode)
WARPCHECK_FORWARD(context, cuGraphAddKernelNode, cudaGraphAddKernelNode)
WARPCHECK_FORWARD(context, cuGraphKernelNodeSetParams, cudaGraphKernelNodeSetParams)
WARPCHECK_FORWARD(context, cuGraphExecKernelNodeSetParams, cudaGraphExecKernelNodeSetParams)
WARPCHECK_FORWARD(context, cuGraphAddMemsetNode, cudaGraphAddMemsetNode)
WARPCHECK_FORWARD(context, cuGraphMemsetNodeSetParams, cudaGraphMemsetNodeSetParams)
WARPCHECK_FORWARD(context, cuGraphExecMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams)
WARPCHECK_FORWARD(context, cuGraphAddHostNode, cudaGraphAddHostNode)
WARPCHECK_FORWARD(context, cuGraphHostNodeSetParams, cudaGraphHostNodeSetParams)
WARPCHECK_FORWARD(context, cuGraphExecHostNodeSetParams, cudaGraphExecHostNodeSetParams)
WARPCHECK_FORWARD(context, cuGraphAddChildGraphNode, cudaGraphAddChildGraphNode)
WARPCHECK_FORWARD(context, cuGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph)
WARPCHECK_FORWARD(context, cuGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams)
WARPCHECK_FORWARD(context, cuGraphAddEmptyNode, cudaGraphAddEmptyNode)
WARPCHECK_FORWARD(context, cuGraphAddEventRecordNode, cudaGraphAddEventRecordNode)
WARPCHECK_FORWARD(context, cuGraphAddEventWaitNode, cudaGraphAddEventWaitNode)
WARPCHECK_FORWARD(context, cuGraphAddMemFreeNode, cudaGraphAddMemFreeNode)
WARPCHECK_FORWARD(context, cuGraphConditionalHandleCreate, cudaGraphConditionalHandleCreate)
WARPCHECK_FORWARD(context, cuGraphGetNodes, cudaGraphGetNodes)
WARPCHECK_FORWARD(context, cuGraphGetRootNodes, cudaGraphGetRootNodes)
WARPCHECK_FORWARD(context, cuGraphGetEdges, cudaGraphGetEdges)
WARPCHECK_FORWARD(context, cuGraphNodeGetDependencies, cudaGraphNodeGetDependencies)
WARPCHECK_FORWARD(context, cuGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes)
WARPCHECK_FORWARD(context, cuGraphAddDependencies, cudaGraphAddDependencies)
WARPCHECK_FORWARD(context, cuGraphRemoveDependencies, cudaGraphRemoveDependencies)
WARPCHECK_FORWARD(context, cuGraphNodeGetType, cudaGraphNodeGetType)
WARPCHECK_FORWARD(context, cuGraphNodeFindInClone, cudaGraphNodeFindInClone)
WARPCHECK_FORWARD(context, cuGraphInstantiateWithFlags, cudaGraphInstantiateWithFlags)
WARPCHECK_FORWARD(context, cuGraphInstantiateWithParams, cudaGraphInstantiateWithParams)
WARPCHECK_FORWARD(context, cuGraphExecGetFlags, cudaGraphExecGetFlags)
WARPCHECK_FORWARD(context, cuGraphExecUpdate, cudaGraphExecUpdate)
WARPCHECK_FORWARD(context, cuGraphNodeSetEnabled, cudaGraphNodeSetEnabled)
WARPCHECK_FORWARD(context, cuGraphNodeGetEnabled, cudaGraphNodeGetEnabled)
WARPCHECK_FORWARD(context, cuGraphUpload, cudaGraphUpload)
WARPCHECK_FORWARD(context_unlocked, cuGraphLaunch, cudaGraphLaunch)
WARPCHECK_FORWARD(context, cuGraphExecDestroy, cudaGraphExecDestroy)
}

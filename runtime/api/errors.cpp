// Errors of the runtime.
#include <algorithm>
#include <array>
#include <utility>

#include "runtime/runtime.hpp"

using namespace warpcheck::runtime;

namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define WARPCHECK_ERROR(error, text) \
  ErrorText { error, #error, text }
constexpr std::array kErrors = {
    WARPCHECK_ERROR(cudaSuccess, "no error"),
    WARPCHECK_ERROR(cudaErrorInvalidValue, "invalid argument"),
    WARPCHECK_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    WARPCHECK_ERROR(cudaErrorInitializationError, "initialization error"),
    WARPCHECK_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    WARPCHECK_ERROR(cudaErrorProfilerDisabled,
                    "profiler disabled while using external profiling tool"),
    WARPCHECK_ERROR(cudaErrorProfilerNotInitialized,
                    "profiler not initialized: call cudaProfilerInitialize()"),
    WARPCHECK_ERROR(cudaErrorProfilerAlreadyStarted, "profiler already started"),
    WARPCHECK_ERROR(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
    WARPCHECK_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    WARPCHECK_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    WARPCHECK_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    WARPCHECK_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    WARPCHECK_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    WARPCHECK_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    WARPCHECK_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    WARPCHECK_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    WARPCHECK_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    WARPCHECK_ERROR(cudaErrorAddressOfConstant, "invalid address of constant"),
    WARPCHECK_ERROR(cudaErrorTextureFetchFailed, "fetch from texture failed"),
    WARPCHECK_ERROR(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound"),
    WARPCHECK_ERROR(cudaErrorSynchronizationError, "incorrect use of __syncthreads()"),
    WARPCHECK_ERROR(cudaErrorInvalidFilterSetting,
                    "linear filtering not supported for non-float type"),
    WARPCHECK_ERROR(cudaErrorInvalidNormSetting,
                    "read as normalized float not supported for data type"),
    WARPCHECK_ERROR(cudaErrorMixedDeviceExecution,
                    "device emulation mode and device execution mode cannot be mixed"),
    WARPCHECK_ERROR(cudaErrorNotYetImplemented, "feature not yet implemented"),
    WARPCHECK_ERROR(cudaErrorMemoryValueTooLarge,
                    "memory size or pointer value too large to fit in 32 bit"),
    WARPCHECK_ERROR(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    WARPCHECK_ERROR(cudaErrorInsufficientDriver,
                    "CUDA driver version is insufficient for CUDA runtime version"),
    WARPCHECK_ERROR(cudaErrorCallRequiresNewerDriver,
                    "API call is not supported in the installed CUDA driver"),
    WARPCHECK_ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
    WARPCHECK_ERROR(cudaErrorDuplicateVariableName,
                    "duplicate global variable looked up by string name"),
    WARPCHECK_ERROR(cudaErrorDuplicateTextureName, "duplicate texture looked up by string name"),
    WARPCHECK_ERROR(cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name"),
    WARPCHECK_ERROR(cudaErrorDevicesUnavailable,
                    "CUDA-capable device(s) is/are busy or unavailable"),
    WARPCHECK_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    WARPCHECK_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    WARPCHECK_ERROR(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    WARPCHECK_ERROR(cudaErrorLaunchMaxDepthExceeded,
                    "launch would exceed maximum depth of nested launches"),
    WARPCHECK_ERROR(cudaErrorLaunchFileScopedTex,
                    "launch failed because kernel uses unsupported, file-scoped textures (texture "
                    "objects are supported)"),
    WARPCHECK_ERROR(cudaErrorLaunchFileScopedSurf,
                    "launch failed because kernel uses unsupported, file-scoped surfaces (surface "
                    "objects are supported)"),
    WARPCHECK_ERROR(cudaErrorSyncDepthExceeded,
                    "cudaDeviceSynchronize failed because caller's grid depth exceeds "
                    "cudaLimitDevRuntimeSyncDepth"),
    WARPCHECK_ERROR(
        cudaErrorLaunchPendingCountExceeded,
        "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
    WARPCHECK_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    WARPCHECK_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    WARPCHECK_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    WARPCHECK_ERROR(cudaErrorDeviceNotLicensed, "device doesn't have valid Grid license"),
    WARPCHECK_ERROR(cudaErrorSoftwareValidityNotEstablished, "integrity checks failed"),
    WARPCHECK_ERROR(cudaErrorStartupFailure, "startup failure in cuda runtime"),
    WARPCHECK_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    WARPCHECK_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    WARPCHECK_ERROR(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    WARPCHECK_ERROR(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
    WARPCHECK_ERROR(cudaErrorArrayIsMapped, "array is mapped"),
    WARPCHECK_ERROR(cudaErrorAlreadyMapped, "resource already mapped"),
    WARPCHECK_ERROR(cudaErrorNoKernelImageForDevice,
                    "no kernel image is available for execution on the device"),
    WARPCHECK_ERROR(cudaErrorAlreadyAcquired, "resource already acquired"),
    WARPCHECK_ERROR(cudaErrorNotMapped, "resource not mapped"),
    WARPCHECK_ERROR(cudaErrorNotMappedAsArray, "resource not mapped as array"),
    WARPCHECK_ERROR(cudaErrorNotMappedAsPointer, "resource not mapped as pointer"),
    WARPCHECK_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    WARPCHECK_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    WARPCHECK_ERROR(cudaErrorDeviceAlreadyInUse,
                    "exclusive-thread device already in use by a different thread"),
    WARPCHECK_ERROR(cudaErrorPeerAccessUnsupported,
                    "peer access is not supported between these two devices"),
    WARPCHECK_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    WARPCHECK_ERROR(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    WARPCHECK_ERROR(cudaErrorNvlinkUncorrectable,
                    "uncorrectable NVLink error detected during the execution"),
    WARPCHECK_ERROR(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found"),
    WARPCHECK_ERROR(cudaErrorUnsupportedPtxVersion,
                    "the provided PTX was compiled with an unsupported toolchain."),
    WARPCHECK_ERROR(cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled"),
    WARPCHECK_ERROR(cudaErrorUnsupportedExecAffinity,
                    "the provided execution affinity is not supported"),
    WARPCHECK_ERROR(cudaErrorUnsupportedDevSideSync,
                    "the provided PTX contains unsupported call to cudaDeviceSynchronize"),
    WARPCHECK_ERROR(cudaErrorContained,
                    "Invalid access of peer GPU memory over nvlink or a hardware error"),
    WARPCHECK_ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    WARPCHECK_ERROR(cudaErrorFileNotFound, "file not found"),
    WARPCHECK_ERROR(cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    WARPCHECK_ERROR(cudaErrorSharedObjectInitFailed, "shared object initialization failed"),
    WARPCHECK_ERROR(cudaErrorOperatingSystem,
                    "OS call failed or operation not supported on this OS"),
    WARPCHECK_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    WARPCHECK_ERROR(cudaErrorIllegalState,
                    "the operation cannot be performed in the present state"),
    WARPCHECK_ERROR(cudaErrorLossyQuery, "attempted introspection would be semantically lossy"),
    WARPCHECK_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    WARPCHECK_ERROR(cudaErrorNotReady, "device not ready"),
    WARPCHECK_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    WARPCHECK_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    WARPCHECK_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    WARPCHECK_ERROR(cudaErrorLaunchIncompatibleTexturing,
                    "launch uses incompatible texturing mode"),
    WARPCHECK_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    WARPCHECK_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    WARPCHECK_ERROR(cudaErrorSetOnActiveProcess,
                    "cannot set while device is active in this process"),
    WARPCHECK_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    WARPCHECK_ERROR(cudaErrorAssert, "device-side assert triggered"),
    WARPCHECK_ERROR(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    WARPCHECK_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                    "part or all of the requested memory range is already mapped"),
    WARPCHECK_ERROR(cudaErrorHostMemoryNotRegistered,
                    "pointer does not correspond to a registered memory region"),
    WARPCHECK_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    WARPCHECK_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    WARPCHECK_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    WARPCHECK_ERROR(cudaErrorInvalidAddressSpace,
                    "operation not supported on global/shared address space"),
    WARPCHECK_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    WARPCHECK_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    WARPCHECK_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    WARPCHECK_ERROR(cudaErrorTensorMemoryLeak, "tensor memory not completely freed"),
    WARPCHECK_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    WARPCHECK_ERROR(cudaErrorNotSupported, "operation not supported"),
    WARPCHECK_ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    WARPCHECK_ERROR(cudaErrorSystemDriverMismatch,
                    "system has unsupported display driver / cuda driver combination"),
    WARPCHECK_ERROR(cudaErrorCompatNotSupportedOnDevice,
                    "forward compatibility was attempted on non supported HW"),
    WARPCHECK_ERROR(cudaErrorMpsConnectionFailed,
                    "MPS client failed to connect to the MPS control daemon or the MPS server"),
    WARPCHECK_ERROR(cudaErrorMpsRpcFailure,
                    "the remote procedural call between the MPS server and the MPS client failed"),
    WARPCHECK_ERROR(cudaErrorMpsServerNotReady,
                    "MPS server is not ready to accept new MPS client requests"),
    WARPCHECK_ERROR(cudaErrorMpsMaxClientsReached,
                    "the hardware resources required to create MPS client have been exhausted"),
    WARPCHECK_ERROR(
        cudaErrorMpsMaxConnectionsReached,
        "the hardware resources required to support device connections have been exhausted"),
    WARPCHECK_ERROR(cudaErrorMpsClientTerminated,
                    "the MPS client has been terminated by the server"),
    WARPCHECK_ERROR(
        cudaErrorCdpNotSupported,
        "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does "
        "not support it"),
    WARPCHECK_ERROR(
        cudaErrorCdpVersionMismatch,
        "unsupported interaction between different versions of CUDA Dynamic Parallelism"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureUnsupported,
                    "operation not permitted when stream is capturing"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureInvalidated,
                    "operation failed due to a previous error during capture"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureMerge,
                    "operation would result in a merge of separate capture sequences"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureUnmatched,
                    "capture was not ended in the same stream as it began"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureIsolation,
                    "dependency created on uncaptured work in another stream"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureImplicit,
                    "operation would make the legacy stream depend on a capturing blocking stream"),
    WARPCHECK_ERROR(cudaErrorCapturedEvent,
                    "operation not permitted on an event last recorded in a capturing stream"),
    WARPCHECK_ERROR(cudaErrorStreamCaptureWrongThread,
                    "attempt to terminate a thread-local capture sequence from another thread"),
    WARPCHECK_ERROR(cudaErrorTimeout, "wait operation timed out"),
    WARPCHECK_ERROR(cudaErrorGraphExecUpdateFailure,
                    "the graph update was not performed because it included changes which violated "
                    "constraints specific to instantiated graph update"),
    WARPCHECK_ERROR(cudaErrorExternalDevice,
                    "an async error has occured in external entity outside of CUDA"),
    WARPCHECK_ERROR(cudaErrorInvalidClusterSize,
                    "a kernel launch error has occurred due to cluster misconfiguration"),
    WARPCHECK_ERROR(
        cudaErrorFunctionNotLoaded,
        "the function handle is not loaded when calling an API that requires a loaded function"),
    WARPCHECK_ERROR(
        cudaErrorInvalidResourceType,
        "one or more resources passed in are not valid resource types for the operation"),
    WARPCHECK_ERROR(cudaErrorInvalidResourceConfiguration,
                    "one or more resources are insufficient or non-applicable for the operation"),
    WARPCHECK_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef WARPCHECK_ERROR

const ErrorText* text_of(cudaError_t error) {
  const auto found = std::find_if(kErrors.begin(), kErrors.end(),
                                  [error](const ErrorText& row) { return row.error == error; });
  return found == kErrors.end() ? nullptr : &*found;
}

}  // namespace

cudaError_t cudaGetLastError() {
  const cudaError_t last = std::exchange(last_error(), cudaSuccess);
  const cudaError_t device_status = Runtime::instance().device_error();
  return device_status != cudaSuccess ? device_status : last;
}
cudaError_t cudaPeekAtLastError() {
  const cudaError_t device_status = Runtime::instance().device_error();
  return device_status != cudaSuccess ? device_status : last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* const row = text_of(error);
  return row == nullptr ? "unrecognized error code" : row->name;
}
const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* const row = text_of(error);
  return row == nullptr ? "unrecognized error code" : row->text;
}

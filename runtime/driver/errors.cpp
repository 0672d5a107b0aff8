// Errors of the driver.
#include <algorithm>
#include <array>
#include <utility>

#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

namespace {

#define WARPCHECK_NAMED(error) std::pair<CUresult, const char*>(error, #error)

/// The errors that warpcheck returns, and those that programs compare with.
constexpr std::array kNames = {
    WARPCHECK_NAMED(CUDA_SUCCESS),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_VALUE),
    WARPCHECK_NAMED(CUDA_ERROR_OUT_OF_MEMORY),
    WARPCHECK_NAMED(CUDA_ERROR_NOT_INITIALIZED),
    WARPCHECK_NAMED(CUDA_ERROR_DEINITIALIZED),
    WARPCHECK_NAMED(CUDA_ERROR_STUB_LIBRARY),
    WARPCHECK_NAMED(CUDA_ERROR_NO_DEVICE),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_DEVICE),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_IMAGE),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_CONTEXT),
    WARPCHECK_NAMED(CUDA_ERROR_NO_BINARY_FOR_GPU),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_PTX),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_SOURCE),
    WARPCHECK_NAMED(CUDA_ERROR_FILE_NOT_FOUND),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_HANDLE),
    WARPCHECK_NAMED(CUDA_ERROR_ILLEGAL_STATE),
    WARPCHECK_NAMED(CUDA_ERROR_NOT_FOUND),
    WARPCHECK_NAMED(CUDA_ERROR_NOT_READY),
    WARPCHECK_NAMED(CUDA_ERROR_ILLEGAL_ADDRESS),
    WARPCHECK_NAMED(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    WARPCHECK_NAMED(CUDA_ERROR_LAUNCH_TIMEOUT),
    WARPCHECK_NAMED(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    WARPCHECK_NAMED(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    WARPCHECK_NAMED(CUDA_ERROR_ASSERT),
    WARPCHECK_NAMED(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    WARPCHECK_NAMED(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    WARPCHECK_NAMED(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    WARPCHECK_NAMED(CUDA_ERROR_MISALIGNED_ADDRESS),
    WARPCHECK_NAMED(CUDA_ERROR_INVALID_PC),
    WARPCHECK_NAMED(CUDA_ERROR_LAUNCH_FAILED),
    WARPCHECK_NAMED(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    WARPCHECK_NAMED(CUDA_ERROR_NOT_PERMITTED),
    WARPCHECK_NAMED(CUDA_ERROR_NOT_SUPPORTED),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    WARPCHECK_NAMED(CUDA_ERROR_CAPTURED_EVENT),
    WARPCHECK_NAMED(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    WARPCHECK_NAMED(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    WARPCHECK_NAMED(CUDA_ERROR_UNKNOWN),
};

#undef WARPCHECK_NAMED

const char* name_of(CUresult error) {
  const auto* const found = std::find_if(kNames.begin(), kNames.end(),
                                         [&](const auto& row) { return row.first == error; });
  return found == kNames.end() ? nullptr : found->second;
}

}  // namespace

namespace warpcheck::runtime {

CUresult result_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidFilterSetting:
    case cudaErrorInvalidNormSetting:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    default:
      return static_cast<CUresult>(error);
  }
}

}  // namespace warpcheck::runtime

CUresult cuGetErrorName(CUresult error, const char** name) {
  *name = name_of(error);
  return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = name_of(error) == nullptr ? nullptr : cudaGetErrorString(static_cast<cudaError_t>(error));
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

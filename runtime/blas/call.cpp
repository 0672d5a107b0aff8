#include "runtime/blas/call.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "runtime/memory.hpp"
#include "runtime/work/capture.hpp"
#include "runtime/work/stream_races.hpp"
#include "runtime/work/streams.hpp"
#include "runtime/work/work.hpp"

namespace warpcheck::runtime {
namespace {

cublasStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidResourceHandle:
      return CUBLAS_STATUS_INVALID_VALUE;
    case cudaErrorMemoryAllocation:
      return CUBLAS_STATUS_ALLOC_FAILED;
    case cudaErrorInitializationError:
      return CUBLAS_STATUS_NOT_INITIALIZED;
    case cudaErrorNotSupported:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

cublasStatus_t handle_call(const char* function, const void* handle,
                           const std::function<cublasStatus_t(Runtime&)>& body) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const cudaError_t error = locked_call([&](Runtime& runtime) {
    if (!blas_handles().contains(handle)) {
      status = CUBLAS_STATUS_NOT_INITIALIZED;
      return runtime.misuse(
          cudaSuccess, fmt::format("{}: the handle does not exist or was destroyed", function));
    }
    status = body(runtime);
    return cudaSuccess;
  });
  return error == cudaSuccess ? status : status_of(error);
}

}  // namespace

std::set<const void*>& blas_handles() {
  static auto* const all = new std::set<const void*>();
  return *all;
}

cublasStatus_t blas_call(const char* function, cublasHandle_t handle,
                         const std::function<cublasStatus_t(BlasCall&)>& body) {
  return handle_call(function, handle, [&](Runtime& runtime) {
    BlasCall call(runtime, function, handle->stream, handle->pointer_mode);
    return body(call);
  });
}

cublasStatus_t blas_call(const char* function, cublasLtHandle_t handle, cudaStream_t stream,
                         const std::function<cublasStatus_t(BlasCall&)>& body) {
  return handle_call(function, handle, [&](Runtime& runtime) {
    BlasCall call(runtime, function, stream, CUBLAS_POINTER_MODE_HOST);
    return body(call);
  });
}

cublasStatus_t BlasCall::invalid(const std::string& message) const {
  static_cast<void>(
      runtime_.misuse(cudaErrorInvalidValue, fmt::format("{}: {}", function_, message)));
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t BlasCall::not_supported(const std::string& message) const {
  if (!is_probing_) static_cast<void>(invalid(message));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t BlasCall::unsupported(const std::string& what) const {
  if (is_probing_) return CUBLAS_STATUS_NOT_SUPPORTED;
  static_cast<void>(runtime_.unsupported(fmt::format("{}: {}", function_, what),
                                         "warpcheck exec does not implement this"));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t BlasCall::check_sizes(
    std::initializer_list<std::pair<const char*, std::int64_t>> sizes) const {
  for (const auto& [name, size] : sizes) {
    if (size < 0) return invalid(fmt::format("{} is {}, expected 0 or more", name, size));
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t BlasCall::check_leading(const char* name, std::int64_t leading, const char* matrix,
                                       std::int64_t rows) const {
  const std::int64_t least = std::max<std::int64_t>(rows, 1);
  if (leading >= least) return CUBLAS_STATUS_SUCCESS;
  return invalid(fmt::format("{} is {}, expected {} or more, the rows of {} in memory", name,
                             leading, least, matrix));
}

cublasStatus_t BlasCall::check_increment(const char* name, std::int64_t increment) const {
  if (increment != 0) return CUBLAS_STATUS_SUCCESS;
  return invalid(fmt::format("{} is 0, expected another number", name));
}

cublasStatus_t BlasCall::check_choice(const char* name, int value, int last) const {
  if (value >= 0 && value <= last) return CUBLAS_STATUS_SUCCESS;
  return invalid(fmt::format("{} is {}, expected a number from 0 to {}", name, value, last));
}

cublasStatus_t BlasCall::check_host_pointer(const char* name, const void* pointer) const {
  const auto memory = runtime_.session().containing(address_of(pointer));
  if (!memory || memory->kind == device::MemoryKind::host_visible) return CUBLAS_STATUS_SUCCESS;
  return invalid(fmt::format(
      "{} is in {}, memory of the device, but the pointer mode is CUBLAS_POINTER_MODE_HOST", name,
      memory->name));
}

cublasStatus_t BlasCall::read(const char* name, const void* pointer, cudaDataType type,
                              bool on_device, Factor& factor) const {
  factor = {name, type};
  if (pointer == nullptr) return invalid(fmt::format("{} is a null pointer", name));
  if (on_device) {
    factor.device = pointer;
    return CUBLAS_STATUS_SUCCESS;
  }
  if (const cublasStatus_t status = check_host_pointer(name, pointer)) return status;
  std::memcpy(factor.value.data(), pointer, size_of(type));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t BlasCall::submit(Body body) const {
  const cudaError_t earlier = runtime_.device_error();
  const char* const function = function_;
  const cudaError_t error =
      runtime::submit(runtime_, function, stream_,
                      LibraryWork{function, [function, body = std::move(body)](Runtime& runtime) {
                                    OperandAccess access(runtime, function);
                                    body(access);
                                  }});
  return status_of(error == cudaSuccess ? earlier : error);
}

cublasStatus_t BlasCall::check_result(const void* result) const {
  if (result == nullptr) return invalid("the pointer to the result is null");
  if (has_device_pointers()) return CUBLAS_STATUS_SUCCESS;
  if (const cublasStatus_t status = check_host_pointer("the result", result)) return status;
  return status_of(check_wait(runtime_, function_, stream_));
}

cublasStatus_t BlasCall::wait() const {
  runtime_.order().host_waits(ordered(stream_));
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace warpcheck::runtime

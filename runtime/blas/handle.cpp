// Handles of cuBLAS, and what they store.
#include <library_types.h>

#include <cstdlib>

#include "runtime/blas/call.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

namespace {

/// Calls body(handle) if the handle exists.
template <class Body>
cublasStatus_t with_handle(const char* function, cublasHandle_t handle, Body body) {
  return blas_call(function, handle, [&](BlasCall& call) { return body(call, *handle); });
}

template <class Value>
cublasStatus_t get(const char* function, cublasHandle_t handle, Value cublasContext::*member,
                   Value* value) {
  return with_handle(function, handle, [&](BlasCall& call, const cublasContext& context) {
    if (value == nullptr) return call.invalid("the pointer to the result is null");
    *value = context.*member;
    return CUBLAS_STATUS_SUCCESS;
  });
}

template <class Value>
cublasStatus_t set(const char* function, cublasHandle_t handle, Value cublasContext::*member,
                   Value value) {
  return with_handle(function, handle, [&](BlasCall&, cublasContext& context) {
    context.*member = value;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t get_property(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *value = kVersion[type];
  return CUBLAS_STATUS_SUCCESS;
}

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* text;
};

#define WARPCHECK_STATUS(status, text) \
  StatusText { status, #status, text }
constexpr std::array kStatuses = {
    WARPCHECK_STATUS(CUBLAS_STATUS_SUCCESS, "success"),
    WARPCHECK_STATUS(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
    WARPCHECK_STATUS(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
    WARPCHECK_STATUS(CUBLAS_STATUS_INVALID_VALUE, "an invalid value was used as an argument"),
    WARPCHECK_STATUS(CUBLAS_STATUS_ARCH_MISMATCH, "the architecture of the device lacks a feature"),
    WARPCHECK_STATUS(CUBLAS_STATUS_MAPPING_ERROR, "an access to memory of the GPU failed"),
    WARPCHECK_STATUS(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU"),
    WARPCHECK_STATUS(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed"),
    WARPCHECK_STATUS(CUBLAS_STATUS_NOT_SUPPORTED, "the functionality is not supported"),
    WARPCHECK_STATUS(CUBLAS_STATUS_LICENSE_ERROR, "a license is missing"),
};
#undef WARPCHECK_STATUS

const StatusText* text_of(cublasStatus_t status) {
  const auto found = std::find_if(kStatuses.begin(), kStatuses.end(),
                                  [&](const StatusText& one) { return one.status == status; });
  return found == kStatuses.end() ? nullptr : &*found;
}

const char* name_of(cublasStatus_t status) {
  const StatusText* const text = text_of(status);
  return text == nullptr ? "CUBLAS_STATUS_UNKNOWN" : text->name;
}
const char* description_of(cublasStatus_t status) {
  const StatusText* const text = text_of(status);
  return text == nullptr ? "unknown status" : text->text;
}

template <class Handle>
cublasStatus_t create(const char* function, Handle* handle) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const cudaError_t error = locked_call([&](Runtime& runtime) {
    if (handle == nullptr) {
      status = CUBLAS_STATUS_INVALID_VALUE;
      return runtime.misuse(cudaSuccess,
                            std::string(function) + ": the pointer to the result is null");
    }
    auto* const context = new cublasContext();
    blas_handles().insert(context);
    *handle = reinterpret_cast<Handle>(context);
    return cudaSuccess;
  });
  return error == cudaSuccess ? status : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t destroy(const void* handle) {
  blas_handles().erase(handle);
  delete static_cast<const cublasContext*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) { return create("cublasCreate", handle); }
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return with_handle("cublasDestroy", handle,
                     [&](BlasCall&, cublasContext&) { return destroy(handle); });
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) { return create("cublasLtCreate", handle); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return blas_call("cublasLtDestroy", handle, nullptr, [&](BlasCall&) { return destroy(handle); });
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return with_handle("cublasSetStream", handle, [&](BlasCall& call, cublasContext& context) {
    if (check_stream(call.runtime(), "cublasSetStream", stream) != cudaSuccess) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
    context.stream = stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return get("cublasGetStream", handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set("cublasSetPointerMode", handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get("cublasGetPointerMode", handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set("cublasSetMathMode", handle, &cublasContext::math_mode, mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get("cublasGetMathMode", handle, &cublasContext::math_mode, mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set("cublasSetAtomicsMode", handle, &cublasContext::atomics_mode, mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get("cublasGetAtomicsMode", handle, &cublasContext::atomics_mode, mode);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set("cublasSetSmCountTarget", handle, &cublasContext::multiprocessors, count);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return get("cublasGetSmCountTarget", handle, &cublasContext::multiprocessors, count);
}

/// No function here needs a workspace.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  constexpr std::uint64_t kAlignment = 256;
  return with_handle("cublasSetWorkspace", handle, [&](BlasCall& call, const cublasContext&) {
    if (reinterpret_cast<std::uint64_t>(workspace) % kAlignment == 0) return CUBLAS_STATUS_SUCCESS;
    static_cast<void>(bytes);
    return call.invalid("the address of the workspace is not a multiple of 256 bytes");
  });
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  return with_handle("cublasGetVersion", handle, [&](BlasCall& call, const cublasContext&) {
    if (version == nullptr) return call.invalid("the pointer to the result is null");
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  return get_property(type, value);
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return get_property(type, value);
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasGetCudartVersion() { return CUDART_VERSION; }
size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }

const char* cublasGetStatusName(cublasStatus_t status) { return name_of(status); }
const char* cublasGetStatusString(cublasStatus_t status) { return description_of(status); }
const char* cublasLtGetStatusName(cublasStatus_t status) { return name_of(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return description_of(status); }

// Nothing is logged.
cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback) {
  if (callback == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetFile(FILE*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(const char*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetLevel(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable() { return CUBLAS_STATUS_SUCCESS; }

int warpcheck_unsupported_blas_function(const char* name) {
  static_cast<void>(locked_call([&](Runtime& runtime) {
    return runtime.unsupported(name, "warpcheck exec does not implement this function");
  }));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

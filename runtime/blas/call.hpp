// One call of a function of cuBLAS: the runtime is locked, and the handle is valid.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>

#include "runtime/blas/blas_api.hpp"
#include "runtime/blas/operand.hpp"
#include "runtime/runtime.hpp"

namespace warpcheck::runtime {

/// A factor such as alpha: its value, or its place in memory of the device.
struct Factor {
  const char* name = "";
  cudaDataType type = CUDA_R_32F;
  const void* device = nullptr;  // null: `value` has its bytes
  std::array<std::byte, 16> value = {};
  bool conjugated = false;
};

template <class Number>
[[nodiscard]] Number conjugate(Number number) {
  if constexpr (std::is_arithmetic_v<Number>) {
    return number;
  } else {
    return std::conj(number);
  }
}

template <class Number>
[[nodiscard]] Number value_of(OperandAccess& access, const Factor& factor) {
  Number number{};
  if (factor.device != nullptr) {
    const Operand operand{factor.name, reinterpret_cast<std::uint64_t>(factor.device), factor.type};
    number = access.read<Number>(operand).front();
  } else {
    load_elements(factor.type, factor.value.data(), 1, &number);
  }
  return factor.conjugated ? conjugate(number) : number;
}

class BlasCall {
 public:
  using Body = std::function<void(OperandAccess&)>;

  BlasCall(Runtime& runtime, const char* function, cudaStream_t stream,
           cublasPointerMode_t pointer_mode)
      : runtime_(runtime), function_(function), stream_(stream), pointer_mode_(pointer_mode) {}

  [[nodiscard]] Runtime& runtime() const { return runtime_; }
  [[nodiscard]] bool has_device_pointers() const {
    return pointer_mode_ == CUBLAS_POINTER_MODE_DEVICE;
  }

  // These report a wrong call, and return the status that the manual states.
  cublasStatus_t invalid(const std::string& message) const;
  cublasStatus_t not_supported(const std::string& message) const;
  /// From here on, what is not supported is not reported: the program tries it.
  void set_probing() { is_probing_ = true; }
  /// Reports what the manual describes and warpcheck does not implement.
  cublasStatus_t unsupported(const std::string& what) const;

  /// Reports a negative number.
  cublasStatus_t check_sizes(
      std::initializer_list<std::pair<const char*, std::int64_t>> sizes) const;
  /// Reports a leading dimension that is less than the rows of the matrix in memory.
  cublasStatus_t check_leading(const char* name, std::int64_t leading, const char* matrix,
                               std::int64_t rows) const;
  cublasStatus_t check_increment(const char* name, std::int64_t increment) const;
  /// Reports a value that the enumeration does not have.
  cublasStatus_t check_choice(const char* name, int value, int last) const;

  /// Reads a factor of the host. `on_device`: the address is one of the device.
  cublasStatus_t read(const char* name, const void* pointer, cudaDataType type, bool on_device,
                      Factor& factor) const;
  cublasStatus_t read(const char* name, const void* pointer, cudaDataType type,
                      Factor& factor) const {
    return read(name, pointer, type, has_device_pointers(), factor);
  }

  /// Executes the body as work of the stream, or records it in a graph.
  cublasStatus_t submit(Body body) const;
  /// The same for a function with a result, for which the host waits if the handle's pointers are
  /// of the host.
  template <class Number>
  cublasStatus_t submit_result(void* result, cudaDataType type,
                               std::function<Number(OperandAccess&)> body) const {
    if (const cublasStatus_t status = check_result(result)) return status;
    const bool on_device = has_device_pointers();
    const cublasStatus_t status = submit([=](OperandAccess& access) {
      const Packed<Number> number = {body(access)};
      if (on_device) {
        access.write({"the result", reinterpret_cast<std::uint64_t>(result), type}, number);
      } else {
        store_elements(type, number.data(), 1, static_cast<std::byte*>(result));
      }
    });
    return status != CUBLAS_STATUS_SUCCESS || on_device ? status : wait();
  }

 private:
  cublasStatus_t check_result(const void* result) const;
  cublasStatus_t check_host_pointer(const char* name, const void* pointer) const;
  cublasStatus_t wait() const;

  Runtime& runtime_;
  const char* function_;
  cudaStream_t stream_;
  cublasPointerMode_t pointer_mode_;
  bool is_probing_ = false;
};

/// Calls body(call) with the runtime locked, if the handle exists.
cublasStatus_t blas_call(const char* function, cublasHandle_t handle,
                         const std::function<cublasStatus_t(BlasCall&)>& body);
/// The same for a function of cuBLASLt, whose stream is an argument.
cublasStatus_t blas_call(const char* function, cublasLtHandle_t handle, cudaStream_t stream,
                         const std::function<cublasStatus_t(BlasCall&)>& body);

}  // namespace warpcheck::runtime

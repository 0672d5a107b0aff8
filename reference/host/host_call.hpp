// Calls a function of the host through the interface of reference.h.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "library/include/warpcheck/reference.h"
#include "operation/host_function.hpp"

namespace warpcheck::reference {

using ReferenceEntry = std::function<void(const warpcheck_reference_call&)>;

/// Memory for the elements of one tensor.
class TensorMemory {
 public:
  TensorMemory() = default;
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;
  virtual ~TensorMemory() = default;
  /// Zeroed, aligned for any number, valid until the call returns.
  [[nodiscard]] virtual std::byte* allocate(std::size_t bytes) = 0;
};

/// Passes the call to `entry`, in tensors in `memory`. Throws std::runtime_error if the function
/// leaves an element of an output without a value.
[[nodiscard]] std::vector<operation::HostOutput> call_entry(const ReferenceEntry& entry,
                                                            const operation::HostCall& call,
                                                            TensorMemory& memory);

/// A function of this process.
class InProcess : public operation::HostFunction {
 public:
  InProcess(std::string operation, ReferenceEntry entry)
      : operation_(std::move(operation)), entry_(std::move(entry)) {}

  [[nodiscard]] std::vector<operation::HostOutput> compute(
      const operation::HostCall& call) override;

 private:
  std::string operation_;  // the name in errors
  ReferenceEntry entry_;
};

}  // namespace warpcheck::reference

// Adds the buffers of a problem's job.
#pragma once

#include <cstddef>
#include <optional>

#include "campaign/run/problem.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::run {

/// Appends buffers with their roles.
class BufferAdder {
 public:
  explicit BufferAdder(Problem& problem) : problem_(problem) {}

  /// Adds an operand with values.
  void add_values(Operand operand, const Placement& place, const reference::Matrix& values,
                  device::Access access);

  /// Adds an operand with poison, which the kernel must not read unless `readable`.
  void add_poison(Operand operand, const Placement& place, device::Access access,
                  bool readable = false);

  /// Adds a tensor, which has values or, if they are null, poison.
  void add_tensor(std::size_t number, const Placement& place, const reference::TensorData* values,
                  device::Access access);

  void add(std::optional<Operand> operand, device::Buffer buffer);

 private:
  Problem& problem_;
};

}  // namespace warpcheck::campaign::run

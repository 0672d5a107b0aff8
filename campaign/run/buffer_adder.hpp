// Adds the buffers of a problem's job.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "campaign/run/problem.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::run {

/// Appends buffers with their roles.
class BufferAdder {
 public:
  explicit BufferAdder(Problem& problem) : problem_(problem) {}

  /// Adds the operand of this number in Layouts::operands, with values.
  void add_values(std::size_t operand, std::span<const double> values, device::Access access);

  /// Adds an operand with poison, which the kernel must not read unless `readable`.
  void add_poison(std::size_t operand, device::Access access, bool readable);

  void add(std::optional<std::size_t> operand, device::Buffer buffer);

 private:
  Problem& problem_;
};

}  // namespace warpcheck::campaign::run

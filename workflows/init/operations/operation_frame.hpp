// A contract of an operation without the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workflows/init/draft/draft.hpp"
#include "workflows/init/operations/known_operations.hpp"
#include "workflows/init/operations/operation_kernel.hpp"

namespace warpcheck::workflows::init {

/// Everything of a contract but the definition, the conditions and the type of sums.
struct Frame {
  Draft draft;
  std::vector<std::string> inputs;  // names, in the order of the known operation
  std::int64_t per_thread = 1;      // elements
};

/// The roles of a kernel's buffers and extents in a known operation.
struct Assignment {
  std::size_t output = 0;
  std::vector<std::size_t> inputs;   // ordered as in the operation
  std::vector<std::string> extents;  // ordered as in the operation
};

/// True if the operation has as many inputs and scalars as the kernel.
[[nodiscard]] bool suits(const KnownOperation& known, const Roles& roles);

/// One for each geometry.
[[nodiscard]] std::vector<Frame> frames_of(const OperationKernel& kernel, const Roles& roles,
                                           const KnownOperation& known,
                                           const Assignment& assignment);

[[nodiscard]] std::string definition(const KnownOperation& known, const Frame& frame);

/// The conditions of kernels that access several elements at once.
[[nodiscard]] std::vector<std::vector<std::string>> conditions_of_vectors(const Draft& draft);

/// The conditions of kernels that access whole tiles.
[[nodiscard]] std::vector<std::vector<std::string>> conditions_of_tiles(const Draft& draft);

/// The inputs are in the order of the parameters.
[[nodiscard]] Assignment first_assignment(const Roles& roles, std::size_t output);

/// All orders of so many extents, that of the parameters first.
[[nodiscard]] std::vector<std::vector<std::size_t>> orders_of(std::size_t extents);

}  // namespace warpcheck::workflows::init

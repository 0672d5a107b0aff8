// The definitions of common operations, to find the one that a kernel computes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpcheck::workflows::init {

/// The dimensions of a tensor: each is '0', '1' or '2', the number of an extent; empty: one
/// element.
using Dimensions = std::string;

struct KnownOperation {
  std::vector<Dimensions> inputs;
  Dimensions output;
  bool updates = false;  // the last input is the output before the launch, and no argument
  std::size_t scalars = 0;
  // Statements with $0, $1 ... for the inputs, $y for the output, $s and $t for the scalars, $m and
  // $n for the extents.
  std::string define;
  bool counts = false;  // the first input holds positions of the second extent
};

/// True for the same dimensions of inputs and output, and as many scalars.
[[nodiscard]] bool have_same_tensors(const KnownOperation& one, const KnownOperation& other);

/// The operations of kernels with this number of extents, 1 to 3, the most common ones first.
/// Operations of tensors with the same dimensions follow one another.
[[nodiscard]] std::vector<KnownOperation> known_operations(std::size_t extents);

}  // namespace warpcheck::workflows::init

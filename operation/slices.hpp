// Extents along which an operation has slices of equal rank: rows that are computed alike, and
// groups that may be empty.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "operation/operation.hpp"

namespace warpcheck::operation {

/// Slice i of each output depends on slice i of the inputs alone, by the same rule for every i. If
/// the slices of the inputs are permuted, those of the outputs are.
struct IndependentExtent {
  std::string name;
  /// Inputs of integers whose elements are numbers of slices, as `expert` in w[expert[t], k]: a
  /// permutation renumbers them.
  std::set<std::string> numbers;
};

/// Decides from the indices of reads alone. Empty for an operation without statements.
[[nodiscard]] std::vector<IndependentExtent> independent_extents(const Operation& operation);

/// Slice i belongs to group i, such as an expert and its matrix.
struct GroupedExtent {
  std::string name;
  std::set<std::string> numbers;  // inputs of integers whose elements are numbers of groups
  /// Inputs with an integer for each group, which counts slices of another extent: sizes and ends.
  std::set<std::string> counts;
};

/// The dimension of an input with the first and the last limit of each group: "experts + 1".
[[nodiscard]] std::string limits_of(const std::string& extent);

/// Empty for an operation without statements.
[[nodiscard]] std::vector<GroupedExtent> grouped_extents(const Operation& operation);

}  // namespace warpcheck::operation

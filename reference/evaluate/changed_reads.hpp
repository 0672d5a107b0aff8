// Finds the elements of a statement that may depend on changed elements of the tensors it reads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operation/operation.hpp"
#include "reference/evaluate/row.hpp"

namespace warpcheck::reference {

/// The values that an index may have: all numbers between two limits.
struct Interval {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] bool is_single() const { return low == high; }
};

/// The changed elements of tensors, each tensor's by the least box that contains them.
class ChangedElements {
 public:
  using Box = std::vector<Interval>;  // one interval for each dimension

  void add(const std::string& tensor, const std::vector<std::int64_t>& extents,
           std::size_t element);
  void clear() { boxes_.clear(); }
  /// Null if no element of the tensor has changed.
  [[nodiscard]] const Box* find(std::string_view tensor) const;

 private:
  std::map<std::string, Box, std::less<>> boxes_;
};

/// Decides from the indices of reads alone: intervals of sums, products and quotients of the
/// indices that are known. An index that it cannot bound may have any value.
class ChangedReads {
 public:
  /// The references must outlive the object.
  ChangedReads(const ChangedElements& changed, const RowEvaluator::Tensors& tensors,
               const RowEvaluator::Numbers& numbers)
      : changed_(changed), tensors_(tensors), numbers_(numbers) {}

  void set_index(const std::string& name, Interval values) { names_.emplace_back(name, values); }

  /// True if the value of the expression may depend on a changed element.
  [[nodiscard]] bool may_occur_in(const operation::Node& node);

 private:
  [[nodiscard]] bool may_read(const operation::Node& read, const ChangedElements::Box& box) const;
  [[nodiscard]] Interval values_of(const operation::Node& node) const;
  [[nodiscard]] Interval values_of_name(std::string_view name) const;
  [[nodiscard]] Interval values_of_read(const operation::Node& read) const;

  const ChangedElements& changed_;
  const RowEvaluator::Tensors& tensors_;
  const RowEvaluator::Numbers& numbers_;
  std::vector<std::pair<std::string_view, Interval>> names_;  // indices, the innermost ones last
};

}  // namespace warpcheck::reference

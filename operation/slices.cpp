#include "operation/slices.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "operation/extent.hpp"

namespace warpcheck::operation {
namespace {

/// True for the tensors that an extent may cut into slices: one dimension is the extent, and no
/// other one depends on it.
bool has_slices(const std::vector<std::string>& shape, const std::string& extent) {
  const auto cut = std::ranges::count(shape, extent);
  return cut <= 1 && cut == std::ranges::count_if(shape, [&](const std::string& dimension) {
                       return depends_on(dimension, extent);
                     });
}

class Tensors {
 public:
  explicit Tensors(const Operation& operation) {
    for (const Tensor& input : operation.inputs) add(input, &input);
    for (const Tensor& output : operation.outputs) add(output, nullptr);
    for (const Statement& statement : operation.statements) add(statement.tensor, nullptr);
  }

  [[nodiscard]] const std::vector<std::string>& shape(const std::string& name) const {
    return all_.find(name)->second.first;
  }
  /// Null if the tensor is no input of integers.
  [[nodiscard]] const Tensor* integers(const std::string& name) const {
    const Tensor* const input = all_.find(name)->second.second;
    return input != nullptr && input->integer ? input : nullptr;
  }

 private:
  void add(const Tensor& tensor, const Tensor* input) {
    all_.try_emplace(tensor.name, tensor.shape, input);
  }

  std::map<std::string, std::pair<std::vector<std::string>, const Tensor*>, std::less<>> all_;
};

/// The reads of an operation, as far as they concern the slices of one extent.
class SliceReads {
 public:
  SliceReads(const Operation& operation, const Tensors& tensors, std::string extent)
      : tensors_(tensors), extent_(std::move(extent)) {
    for (const Statement& statement : operation.statements) {
      const auto cut = std::ranges::find(statement.tensor.shape, extent_);
      index_ =
          cut == statement.tensor.shape.end()
              ? ""
              : statement.indices[static_cast<std::size_t>(cut - statement.tensor.shape.begin())];
      are_alike_ = are_alike_ && has_slices(statement.tensor.shape, extent_);
      visit(statement.value);
    }
  }

  /// True if no slice depends on its number, nor on another slice that no input of integers names.
  [[nodiscard]] bool are_alike() const { return are_alike_; }
  /// Inputs of integers that are indices of the extent and nothing else.
  [[nodiscard]] std::set<std::string> numbers() const {
    std::set<std::string> only;
    std::ranges::set_difference(indices_, others_, std::inserter(only, only.end()));
    return only;
  }
  /// True if an index of the extent is also a number with another meaning.
  [[nodiscard]] bool has_other_uses() const { return numbers().size() != indices_.size(); }

 private:
  void visit(const Node& node) {
    if (node.op == Op::read) {
      if (tensors_.integers(node.name) != nullptr) others_.insert(node.name);
      return visit_indices(node);
    }
    const bool is_index = node.op == Op::name && !index_.empty() && node.name == index_;
    const bool reduces = std::ranges::any_of(
        node.extents, [&](const std::string& one) { return depends_on(one, extent_); });
    if (is_index || reduces) are_alike_ = false;
    for (const Node& operand : node.operands) visit(operand);
  }

  void visit_indices(const Node& read) {
    const std::vector<std::string>& shape = tensors_.shape(read.name);
    for (std::size_t i = 0; i < read.operands.size(); ++i) {
      const Node& index = read.operands[i];
      if (shape[i] != extent_) {
        visit(index);
      } else if (index.op == Op::read && tensors_.integers(index.name) != nullptr) {
        indices_.insert(index.name);
        visit_indices(index);
      } else if (index.op != Op::name || index.name != index_) {
        are_alike_ = false;
        visit(index);
      }
    }
  }

  const Tensors& tensors_;
  std::string extent_;
  std::string index_;  // index of the extent in the statement; empty: none
  bool are_alike_ = true;
  std::set<std::string> indices_;
  std::set<std::string> others_;
};

/// True if a permutation of slices of the extent leaves the input one that the operation admits.
bool can_be_permuted(const Tensor& input, const std::string& extent) {
  const bool is_ascending = input.sorted && !input.shape.empty() && input.shape.back() == extent;
  return has_slices(input.shape, extent) && !is_ascending;
}

/// True if the numbers of slices may be any of the extent.
bool may_be_renumbered(const Tensor& input, const std::string& extent) {
  if (input.sorted) return false;
  if (!input.range) return true;
  const auto& [low, high] = *input.range;
  return low.extent.empty() && low.number <= 0.0 && high.extent == extent && high.number == -1.0;
}

bool is_cut(const std::vector<std::string>& shape, const std::string& extent) {
  return std::ranges::find(shape, extent) != shape.end();
}

/// The inputs of integers that are an index of some extent.
std::set<std::string> all_numbers(const Operation& operation, const Tensors& tensors) {
  std::set<std::string> all;
  for (const std::string& extent : operation.extents) {
    all.merge(SliceReads(operation, tensors, extent).numbers());
  }
  return all;
}

/// True for sizes and ends: integers up to another extent, for each slice of this one, or one more.
bool counts_slices(const Tensor& input, const std::string& extent) {
  const bool is_limited = input.integer && input.range && !input.range->second.extent.empty() &&
                          !depends_on(input.range->second.extent, extent);
  std::vector<std::string> shape = input.shape;
  std::ranges::replace(shape, limits_of(extent), extent);
  return is_limited && is_cut(shape, extent) && has_slices(shape, extent);
}

/// True if each tensor has an element or a row for each group, or none.
bool have_groups(const Operation& operation, const GroupedExtent& group) {
  const auto has_groups = [&](const Tensor& tensor) {
    return group.counts.contains(tensor.name) || has_slices(tensor.shape, group.name);
  };
  return std::ranges::all_of(operation.inputs, has_groups) &&
         std::ranges::all_of(operation.outputs, has_groups);
}

}  // namespace

std::string limits_of(const std::string& extent) { return extent + " + 1"; }

std::vector<IndependentExtent> independent_extents(const Operation& operation) {
  std::vector<IndependentExtent> all;
  if (operation.statements.empty()) return all;
  const Tensors tensors(operation);
  for (const std::string& extent : operation.extents) {
    const SliceReads reads(operation, tensors, extent);
    const std::set<std::string> numbers = reads.numbers();
    const bool is_independent =
        reads.are_alike() && !reads.has_other_uses() &&
        std::ranges::any_of(operation.inputs,
                            [&](const Tensor& input) { return is_cut(input.shape, extent); }) &&
        std::ranges::all_of(operation.inputs, [&](const Tensor& input) {
          return can_be_permuted(input, extent) &&
                 (!numbers.contains(input.name) || may_be_renumbered(input, extent));
        });
    if (is_independent) all.push_back({extent, numbers});
  }
  return all;
}

std::vector<GroupedExtent> grouped_extents(const Operation& operation) {
  std::vector<GroupedExtent> all;
  if (operation.statements.empty()) return all;
  const Tensors tensors(operation);
  const std::set<std::string> numbers = all_numbers(operation, tensors);
  for (const std::string& extent : operation.extents) {
    GroupedExtent group{extent, SliceReads(operation, tensors, extent).numbers(), {}};
    for (const Tensor& input : operation.inputs) {
      const bool counts = counts_slices(input, extent) && !numbers.contains(input.name);
      if (counts) group.counts.insert(input.name);
    }
    const bool is_grouped = !group.numbers.empty() || !group.counts.empty();
    if (is_grouped && have_groups(operation, group)) all.push_back(std::move(group));
  }
  return all;
}

}  // namespace warpcheck::operation

#include "reference/evaluate/row.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/located_text.hpp"
#include "operation/extent.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

using operation::Node;
using operation::Op;
using operation::Reduction;

bool is_comparison(Op op) { return op >= Op::equal && op <= Op::logical_not; }

Row constant(double value, double error = 0.0) { return Row(Bounded{value, error}); }

/// Kernels that ignore NaN, and begin with an infinity, return that if all terms are NaN.
Bounded with_start(Bounded nan, Specials infinity) {
  nan.specials = infinity;
  return nan;
}

/// Kernels and libraries disagree about the largest of no elements, and many reject it.
bool is_undefined_without_terms(Reduction reduction) {
  return reduction == Reduction::max || reduction == Reduction::min ||
         reduction >= Reduction::argmax;
}

}  // namespace

bool depends_on(const Node& node, std::string_view name) {
  return (node.op == Op::name && node.name == name) ||
         std::any_of(node.operands.begin(), node.operands.end(),
                     [&](const Node& operand) { return depends_on(operand, name); });
}

void BoundedTensor::set(std::size_t element, const Bounded& value) {
  values[element] = value.value;
  errors[element] = value.error;
  const bool is_sum = value.is_joinable() && !value.is_scaled;
  if (is_sum || !sums.empty()) {
    sums.resize(values.size());
    sums[element] = is_sum ? value : as_term(value);
  }
  if (value.is_weight || !weights.empty()) {
    weights.resize(values.size());
    weights[element] = value.is_weight;
  }
  if (specials.empty() && value.specials == 0) return;
  specials.resize(values.size());
  specials[element] = value.specials;
}

/// Adds a term. One that may be left out by an uncertain condition counts as what leaves a sum
/// unchanged, and its error covers its value.
void RowEvaluator::CollectedTerms::append(Reduction reduction, const Bounded& term,
                                          const Bounded& condition, double position) {
  if (condition.error == 0.0 && condition.value == 0.0) return;
  const bool is_certain = condition.error == 0.0;
  const bool adds = reduction == Reduction::sum || reduction == Reduction::any;
  const bool is_bounded = adds && (term.specials & kBeyondDouble) == 0;
  const double uncertain = is_bounded ? std::abs(term.value) + term.error : kInfinity;
  const bool is_left_out = condition.value == 0.0 || !(is_certain || term.is_number());
  values.push_back(is_left_out ? 0.0 : term.value);
  const bool is_nested = reduction == Reduction::sum && term.terms > 1 && !term.is_scaled;
  if (is_nested && is_certain && term.is_ordinary()) {
    nested.add(term);
    errors.push_back(term.term_errors);
  } else {
    errors.push_back(is_certain ? term.error : term.is_number() || !is_bounded ? uncertain : 0.0);
  }
  if (reduction == Reduction::sum) unweighted.add(term);
  const Specials own = is_certain ? term.specials : specials_of(term);
  if (own != 0 || !specials.empty()) {
    specials.resize(values.size());
    specials.back() = own;
  }
  if (reduction >= Reduction::argmax) positions.push_back(position);
}

Row RowEvaluator::evaluate(const Node& node, const std::string& lane, std::int64_t count,
                           const Row* condition) {
  const std::string outer_lane = std::exchange(lane_, lane);
  const std::size_t outer_count =
      std::exchange(count_, lane.empty() ? 1 : static_cast<std::size_t>(count));
  const Row* const outer_condition = std::exchange(condition_, condition);
  Row row = row_of(node);
  lane_ = outer_lane;
  count_ = outer_count;
  condition_ = outer_condition;
  return row;
}

bool RowEvaluator::is_masked(std::size_t lane) const {
  if (condition_ == nullptr) return false;
  const Bounded condition = condition_->at(lane);
  return condition.value == 0.0 && condition.error == 0.0;
}

bool RowEvaluator::is_masked_everywhere() const {
  if (condition_ == nullptr) return false;
  for (std::size_t lane = 0; lane < condition_->size(); ++lane) {
    if (!is_masked(lane)) return false;
  }
  return true;
}

Row RowEvaluator::row_of(const Node& node) {
  switch (node.op) {
    case Op::number: {
      const Bounded number = arithmetic_.constant(node);
      return constant(number.value, number.error);
    }
    case Op::name:
      return row_of_name(node.name);
    case Op::read:
      return row_of_read(node);
    case Op::reduce:
      return row_of_reduction(node);
    default:
      return row_of_operands(node);
  }
}

Row RowEvaluator::row_of_name(const std::string& name) const {
  if (name == lane_) {
    Row row(count_);
    for (std::size_t i = 0; i < count_; ++i) row[i].value = static_cast<double>(i);
    return row;
  }
  const auto index = indices_.find(name);
  if (index != indices_.end()) return constant(static_cast<double>(index->second));
  return constant(numbers_.find(name)->second);
}

Row RowEvaluator::row_of_operands(const Node& node) {
  std::vector<Row> operands;
  operands.reserve(node.operands.size());
  std::size_t lanes = 1;
  for (const Node& operand : node.operands) {
    operands.push_back(row_of(operand));
    lanes = std::max(lanes, operands.back().size());
  }
  const bool compares = is_comparison(node.op);
  const Row none = constant(0.0);
  const Row& x = operands[0];
  const Row& y = operands.size() > 1 ? operands[1] : none;
  const Row& z = operands.size() > 2 ? operands[2] : none;
  Row row(lanes);
  for (std::size_t i = 0; i < lanes; ++i) {
    row[i] = compares ? Arithmetic::compare(node.op, x.at(i), y.at(i))
                      : arithmetic_.apply(node, x.at(i), y.at(i), z.at(i));
  }
  return row;
}

double RowEvaluator::extent(const std::string& name) const {
  return static_cast<double>(operation::extent_value(name, [&](std::string_view one) {
    return static_cast<std::int64_t>(numbers_.find(one)->second);
  }));
}

Row RowEvaluator::row_of_read(const Node& node) {
  if (std::optional<Row> slice = row_of_slice(node)) return *std::move(slice);
  const BoundedTensor& tensor = tensors_.find(node.name)->second;
  std::vector<Row> indices;
  indices.reserve(node.operands.size());
  std::size_t lanes = 1;
  for (const Node& operand : node.operands) {
    indices.push_back(row_of(operand));
    lanes = std::max(lanes, indices.back().size());
  }
  Row row(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::int64_t offset = 0;
    bool is_inside = true;
    bool is_certain = true;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const Bounded& index = indices[i].at(lane);
      is_inside =
          is_inside && index.value >= 0.0 && index.value < static_cast<double>(tensor.extents[i]);
      is_certain = is_certain && index.error == 0.0;
      if (is_inside) offset = offset * tensor.extents[i] + static_cast<std::int64_t>(index.value);
    }
    const auto at = static_cast<std::size_t>(offset);
    if (is_inside) {
      row[lane] = tensor.at(at);
    } else if (node.guarded || !is_certain ||
               (lanes == 1 ? is_masked_everywhere() : is_masked(lane))) {
      row[lane].value = node.number;
    } else {
      fail_outside(node, indices, lane, tensor);
    }
    if (!is_certain) row[lane].error = kInfinity;
  }
  return row;
}

void RowEvaluator::fail_outside(const Node& node, const std::vector<Row>& indices, std::size_t lane,
                                const BoundedTensor& tensor) const {
  std::vector<double> found;
  for (const Row& index : indices) found.push_back(index.at(lane).value);
  throw InputError(
      located(operation_.definition, operation_.where, node.begin,
              fmt::format("reads {}[{}], outside of {}: write '... or 0' if elements "
                          "outside have a value",
                          node.name, fmt::join(found, ","), fmt::join(tensor.extents, " x "))));
}

Row RowEvaluator::row_of_reduction(const Node& node) {
  const bool varies = !lane_.empty() && depends_on(node, lane_);
  if (varies) {
    if (std::optional<Row> products = row_of_products(node)) return *std::move(products);
  }
  const std::string lane = lane_;
  Row row(varies ? count_ : 1);
  // The longer index is the one whose values are evaluated at once.
  if (varies && static_cast<double>(count_) > extent(node.extents.back())) {
    std::vector<CollectedTerms> lane_terms(count_);
    collect_lanes(node, 0, lane_terms);
    for (std::size_t i = 0; i < count_; ++i) {
      indices_[lane] = static_cast<std::int64_t>(i);
      row[i] = reduce(node, lane_terms[i]);
    }
    indices_.erase(lane);
    return row;
  }
  for (std::size_t i = 0; i < (varies ? count_ : 1); ++i) {
    if (varies) indices_[lane] = static_cast<std::int64_t>(i);
    row[i] = reduction_of_lane(node, varies && is_masked(i));
  }
  if (varies) indices_.erase(lane);
  return row;
}

Bounded RowEvaluator::reduction_of_lane(const Node& node, bool is_masked) {
  CollectedTerms terms;
  if (!is_masked) collect(node, 0, terms);
  return reduce(node, terms);
}

void RowEvaluator::collect(const Node& node, std::size_t depth, CollectedTerms& terms) {
  const std::string& index = node.indices[depth];
  const auto count = static_cast<std::int64_t>(extent(node.extents[depth]));
  if (count == 0) return;
  if (depth + 1 < node.indices.size()) {
    for (std::int64_t i = 0; i < count; ++i) {
      indices_[index] = i;
      collect(node, depth + 1, terms);
    }
    indices_.erase(index);
    return;
  }
  const bool has_condition = node.operands.size() > 1;
  const Row condition =
      has_condition ? evaluate(node.operands.back(), index, count) : constant(1.0);
  const Row row = evaluate(node.operands.front(), index, count, &condition);
  if (terms.values.empty()) {
    terms.values.reserve(static_cast<std::size_t>(count));
    terms.errors.reserve(static_cast<std::size_t>(count));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    terms.append(node.reduction, row.at(i), condition.at(i), static_cast<double>(i));
  }
}

Row RowEvaluator::condition_of_lanes(const Node& node) {
  Row condition = node.operands.size() > 1 ? row_of(node.operands.back()) : constant(1.0);
  if (condition_ == nullptr) return condition;
  Row all(count_);
  for (std::size_t lane = 0; lane < count_; ++lane) {
    all[lane] = is_masked(lane) ? Bounded{} : condition.at(lane);
  }
  return all;
}

void RowEvaluator::collect_lanes(const Node& node, std::size_t depth,
                                 std::vector<CollectedTerms>& terms) {
  const std::string& index = node.indices[depth];
  const auto count = static_cast<std::int64_t>(extent(node.extents[depth]));
  for (std::int64_t i = 0; i < count; ++i) {
    indices_[index] = i;
    if (depth + 1 < node.indices.size()) {
      collect_lanes(node, depth + 1, terms);
      continue;
    }
    const Row condition = condition_of_lanes(node);
    const std::string lane = lane_;
    const Row row =
        evaluate(node.operands.front(), lane, static_cast<std::int64_t>(count_), &condition);
    for (std::size_t j = 0; j < terms.size(); ++j) {
      terms[j].append(node.reduction, row.at(j), condition.at(j), static_cast<double>(i));
    }
  }
  indices_.erase(index);
}

Bounded RowEvaluator::reduce(const Node& node, const CollectedTerms& collected) {
  const Terms terms{collected.values, collected.errors, collected.specials, collected.nested,
                    collected.unweighted};
  const bool is_empty = terms.values.empty();
  const bool has_no_range =
      std::any_of(node.extents.begin(), node.extents.end(),
                  [&](const std::string& name) { return extent(name) == 0.0; });
  if (has_no_range && is_undefined_without_terms(node.reduction)) return {0.0, kInfinity};
  const bool integer = node.type == operation::Type::integer;
  switch (node.reduction) {
    case Reduction::sum:
      return with_factor_outside(node, arithmetic_.sum(terms, integer));
    case Reduction::prod:
      return arithmetic_.product(terms, integer);
    case Reduction::max:
    case Reduction::any: {
      const Bounded result = Arithmetic::largest(terms, 1.0);
      if (result.is_nan()) return with_start(result, kMinusInfinity);
      return node.reduction == Reduction::any && is_empty ? Bounded{} : result;
    }
    case Reduction::min:
    case Reduction::all: {
      const Bounded result = Arithmetic::largest(terms, -1.0);
      if (result.is_nan()) return with_start(result, kPlusInfinity);
      return node.reduction == Reduction::all && is_empty ? Bounded{1.0, 0.0} : result;
    }
    default:
      return position(node, terms, collected.positions);
  }
}

Bounded RowEvaluator::with_factor_outside(const Node& node, const Bounded& sum) {
  return arithmetic_.depends_on_factor(sum)
             ? arithmetic_.with_factor_outside(sum, factor_outside(node))
             : sum;
}

Bounded RowEvaluator::factor_outside(const Node& sum) {
  std::vector<const Node*> rest = {&sum.operands.front()};
  Bounded factor{1.0, 0.0};
  const auto is_outside = [&](const Node& node) {
    return std::ranges::none_of(sum.indices,
                                [&](const std::string& index) { return depends_on(node, index); });
  };
  while (!rest.empty()) {
    const Node& node = *rest.back();
    rest.pop_back();
    if (node.op == Op::multiply) {
      rest.push_back(&node.operands[0]);
      rest.push_back(&node.operands[1]);
    } else if (node.op == Op::divide && is_outside(node.operands[1])) {
      rest.push_back(&node.operands[0]);
      factor = arithmetic_.apply(node, factor, evaluate(node.operands[1], "", 1).at(0), {});
    } else if (node.op == Op::negate) {
      rest.push_back(&node.operands[0]);
    } else if (is_outside(node)) {
      const Bounded value = evaluate(node, "", 1).at(0);
      const Bounded magnitude = magnitude_of(value);
      factor = {factor.value * magnitude.value,
                factor.value * magnitude.error + factor.error * (magnitude.value + magnitude.error),
                static_cast<Specials>(factor.specials | magnitude.specials)};
    }
  }
  return factor;
}

Bounded RowEvaluator::position(const Node& node, const Terms& terms,
                               std::span<const double> positions) {
  const bool is_largest =
      node.reduction == Reduction::argmax || node.reduction == Reduction::any_argmax;
  std::vector<double> correct = Arithmetic::positions_of_largest(
      terms, positions, is_largest ? 1.0 : -1.0, node.reduction >= Reduction::any_argmax);
  if (correct.empty()) return {0.0, kInfinity};
  Bounded result{correct.front(), 0.0};
  for (const double other : correct) {
    result.error = std::max(result.error, std::abs(other - result.value));
  }
  if (&node == recorded_) recorded_positions_.push_back(std::move(correct));
  return result;
}

}  // namespace warpcheck::reference

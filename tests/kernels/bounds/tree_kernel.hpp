// Kernels that compute an operation from its tree, on the host, in an arithmetic of their own: they
// share no code with the reference.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operation/extent.hpp"
#include "operation/operation.hpp"
#include "reference/evaluate/evaluate.hpp"

namespace warpcheck::reference {

/// Arithmetic has a type Number, and the members constant(double) of the definition, exact(double)
/// of integers and of elements, value(Number), unary(Op, x), binary(Op, x, y), sum(terms),
/// fuses(), which makes the terms of the next sum product(x, y), picks_first() of `either`, and
/// stored(ScalarType, x). The operations have no real products over an index.
template <class Arithmetic>
class TreeKernel {
 public:
  using Number = typename Arithmetic::Number;

  TreeKernel(const TensorProblem& problem, Arithmetic& arithmetic)
      : problem_(problem), arithmetic_(arithmetic) {
    for (const auto& [name, data] : problem.inputs) {
      Tensor& tensor = tensors_[name];
      tensor.extents = data.extents;
      for (const double value : data.values) tensor.values.push_back(arithmetic_.exact(value));
    }
  }

  /// Returns the elements of every tensor that a statement defines.
  std::map<std::string, std::vector<Number>> compute() {
    std::map<std::string, std::vector<Number>> results;
    for (const operation::Statement& statement : problem_.operation->statements) {
      const std::string& name = statement.tensor.name;
      Tensor tensor;
      for (const std::string& extent : statement.tensor.shape) {
        tensor.extents.push_back(extent_of(extent));
      }
      for_indices(statement.indices, tensor.extents,
                  [&] { tensor.values.push_back(evaluate(statement.value)); });
      const auto type = problem_.types.find(name);
      for (Number& value : tensor.values) {
        if (type != problem_.types.end()) value = arithmetic_.stored(type->second, value);
      }
      results[name] = tensor.values;
      tensors_[name] = std::move(tensor);
    }
    return results;
  }

 private:
  using Op = operation::Op;
  using Node = operation::Node;
  using Reduction = operation::Reduction;

  struct Tensor {
    std::vector<std::int64_t> extents;
    std::vector<Number> values;
  };

  [[nodiscard]] std::int64_t extent_of(const std::string& extent) const {
    return operation::extent_value(
        extent, [&](std::string_view name) { return problem_.extents.find(name)->second; });
  }

  /// Calls visit() for all values of the indices, the last one fastest.
  template <class Visit>
  void for_indices(const std::vector<std::string>& names, const std::vector<std::int64_t>& extents,
                   const Visit& visit, std::size_t depth = 0) {
    if (depth == names.size()) return visit();
    indices_.emplace_back(names[depth], 0);
    const std::size_t at = indices_.size() - 1;
    for (std::int64_t i = 0; i < extents[depth]; ++i) {
      indices_[at].second = i;
      for_indices(names, extents, visit, depth + 1);
    }
    indices_.pop_back();
  }

  Number evaluate(const Node& node) {
    switch (node.op) {
      case Op::number:
        return node.type == operation::Type::integer ? arithmetic_.exact(node.number)
                                                     : arithmetic_.constant(node.number);
      case Op::name:
        return arithmetic_.exact(named(node.name));
      case Op::read:
        return read(node);
      case Op::reduce:
        return reduce(node);
      case Op::select:
        return evaluate(node.operands[is_true(node.operands[0]) ? 1 : 2]);
      case Op::either:
        return evaluate(node.operands[arithmetic_.picks_first() ? 0 : 1]);
      case Op::convert:
        return arithmetic_.stored(node.target, evaluate(node.operands[0]));
      default:
        break;
    }
    if (node.op >= Op::equal && node.op <= Op::logical_not) {
      return arithmetic_.exact(is_true(node) ? 1.0 : 0.0);
    }
    if (node.type == operation::Type::integer) return arithmetic_.exact(integer(node));
    if (node.operands.size() == 1) return arithmetic_.unary(node.op, evaluate(node.operands[0]));
    return arithmetic_.binary(node.op, evaluate(node.operands[0]), evaluate(node.operands[1]));
  }

  [[nodiscard]] double named(const std::string& name) const {
    for (auto index = indices_.rbegin(); index != indices_.rend(); ++index) {
      if (index->first == name) return static_cast<double>(index->second);
    }
    const auto extent = problem_.extents.find(name);
    if (extent != problem_.extents.end()) return static_cast<double>(extent->second);
    return problem_.scalars.find(name)->second;
  }

  double value(const Node& node) { return arithmetic_.value(evaluate(node)); }

  bool is_true(const Node& node) {
    const auto operand = [&](std::size_t i) { return value(node.operands[i]); };
    switch (node.op) {
      case Op::equal:
        return operand(0) == operand(1);
      case Op::unequal:
        return operand(0) != operand(1);
      case Op::less:
        return operand(0) < operand(1);
      case Op::less_equal:
        return operand(0) <= operand(1);
      case Op::greater:
        return operand(0) > operand(1);
      case Op::greater_equal:
        return operand(0) >= operand(1);
      case Op::logical_and:
        return is_true(node.operands[0]) && is_true(node.operands[1]);
      case Op::logical_or:
        return is_true(node.operands[0]) || is_true(node.operands[1]);
      case Op::logical_not:
        return !is_true(node.operands[0]);
      default:
        return value(node) != 0.0;
    }
  }

  double integer(const Node& node) {
    const double x = value(node.operands[0]);
    const double y = node.operands.size() > 1 ? value(node.operands[1]) : 0.0;
    switch (node.op) {
      case Op::negate:
        return -x;
      case Op::add:
        return x + y;
      case Op::subtract:
        return x - y;
      case Op::multiply:
        return x * y;
      case Op::floor_divide:
        return std::floor(x / y);
      case Op::modulo:
        return x - std::floor(x / y) * y;
      case Op::minimum:
        return std::fmin(x, y);
      case Op::maximum:
        return std::fmax(x, y);
      case Op::absolute:
        return std::abs(x);
      case Op::floor:
        return std::floor(x);
      case Op::ceil:
        return std::ceil(x);
      case Op::trunc:
        return std::trunc(x);
      case Op::round:
        return std::nearbyint(x);
      default:
        throw std::invalid_argument("an operation on integers that no built-in operation has");
    }
  }

  Number read(const Node& node) {
    const Tensor& tensor = tensors_.find(node.name)->second;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const auto index = static_cast<std::int64_t>(value(node.operands[i]));
      if (index < 0 || index >= tensor.extents[i]) return arithmetic_.exact(node.number);
      at = at * tensor.extents[i] + index;
    }
    return tensor.values[static_cast<std::size_t>(at)];
  }

  Number reduce(const Node& node) {
    std::vector<std::int64_t> extents;
    for (const std::string& extent : node.extents) extents.push_back(extent_of(extent));
    const Node& of = node.operands[0];
    const bool adds = node.reduction == Reduction::sum && node.type == operation::Type::real;
    const bool fused = adds && of.op == Op::multiply && arithmetic_.fuses();
    std::vector<Number> terms;
    std::vector<double> positions;
    double position = 0.0;
    for_indices(node.indices, extents, [&] {
      if (node.operands.size() < 2 || is_true(node.operands[1])) {
        terms.push_back(
            fused ? arithmetic_.product(evaluate(of.operands[0]), evaluate(of.operands[1]))
                  : evaluate(of));
        positions.push_back(position);
      }
      position += 1.0;
    });
    switch (node.reduction) {
      case Reduction::max:
        return terms.empty() ? arithmetic_.exact(-HUGE_VAL) : terms[best(terms, 1.0)];
      case Reduction::min:
        return terms.empty() ? arithmetic_.exact(HUGE_VAL) : terms[best(terms, -1.0)];
      case Reduction::argmax:
      case Reduction::any_argmax:
        return arithmetic_.exact(terms.empty() ? -1.0 : positions[best(terms, 1.0)]);
      case Reduction::argmin:
      case Reduction::any_argmin:
        return arithmetic_.exact(terms.empty() ? -1.0 : positions[best(terms, -1.0)]);
      default:
        return adds ? arithmetic_.sum(terms) : arithmetic_.exact(reduced(node.reduction, terms));
    }
  }

  /// Returns the place of the first largest term; of the smallest one with sign -1.
  std::size_t best(const std::vector<Number>& terms, double sign) {
    std::size_t found = 0;
    for (std::size_t i = 1; i < terms.size(); ++i) {
      if (sign * arithmetic_.value(terms[i]) > sign * arithmetic_.value(terms[found])) found = i;
    }
    return found;
  }

  /// Returns a sum of integers, a product, or the truth of some or all terms.
  double reduced(Reduction reduction, const std::vector<Number>& terms) {
    const bool adds = reduction == Reduction::sum || reduction == Reduction::any;
    double result = adds ? 0.0 : 1.0;
    for (const Number& term : terms) {
      const double x = arithmetic_.value(term);
      result = adds ? result + x : result * x;
    }
    if (reduction == Reduction::any || reduction == Reduction::all) return result != 0.0 ? 1 : 0;
    return result;
  }

  const TensorProblem& problem_;
  Arithmetic& arithmetic_;
  std::map<std::string, Tensor, std::less<>> tensors_;
  std::vector<std::pair<std::string, std::int64_t>> indices_;
};

}  // namespace warpcheck::reference

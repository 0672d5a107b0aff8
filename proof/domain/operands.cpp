#include "proof/domain/operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "campaign/case/operation_cases.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/case/tensor_case.hpp"
#include "contract/contract_words.hpp"
#include "operation/extent.hpp"

namespace warpcheck::proof {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Expression;
using contract::Operator;
using Node = Expression::Node;

constexpr std::int64_t kMostAddress = std::int64_t{1} << 49;

bool is_name(const Node& node) { return node.op == Operator::name; }
bool is_number(const Node& node) { return node.op == Operator::constant; }

/// The numbers of which `requires` makes words multiples: `x % 4 == 0`. x is then 4 x'.
std::map<std::string, std::int64_t> divisors(const Contract& contract) {
  std::map<std::string, std::int64_t> found;
  for (const Expression& requirement : contract.requires_) {
    for (const Expression& conjunct : requirement.conjuncts()) {
      const Node& root = *conjunct.root();
      if (root.op != Operator::equal || !is_number(*root.operands[1]) ||
          root.operands[1]->value != 0 || root.operands[0]->op != Operator::remainder) {
        continue;
      }
      const Node& remainder = *root.operands[0];
      if (!is_name(*remainder.operands[0]) || !is_number(*remainder.operands[1])) continue;
      const std::int64_t number = remainder.operands[1]->value;
      if (number < 1 || number > 1024) continue;
      std::int64_t& divisor = found.emplace(remainder.operands[0]->name, 1).first->second;
      divisor = std::lcm(divisor, number);
    }
  }
  return found;
}

/// Limits that `requires` sets to single words: `x <= 8`, `x > 0`.
std::map<std::string, Interval> stated_limits(const Contract& contract) {
  std::map<std::string, Interval> found;
  for (const Expression& requirement : contract.requires_) {
    for (const Expression& conjunct : requirement.conjuncts()) {
      const Node& root = *conjunct.root();
      if (root.operands.size() != 2 || !is_name(*root.operands[0]) ||
          !is_number(*root.operands[1])) {
        continue;
      }
      const std::int64_t number = root.operands[1]->value;
      if (number < 0 || number > kMostStride) continue;
      Interval& limits = found[root.operands[0]->name];
      const auto at_least = [&](std::int64_t least) {
        limits.least = std::max(limits.least.value_or(least), least);
      };
      const auto at_most = [&](std::int64_t most) {
        limits.most = std::min(limits.most.value_or(most), most);
      };
      if (root.op == Operator::less_equal || root.op == Operator::equal) at_most(number);
      if (root.op == Operator::less) at_most(number - 1);
      if (root.op == Operator::greater_equal || root.op == Operator::equal) at_least(number);
      if (root.op == Operator::greater) at_least(number + 1);
    }
  }
  return found;
}

class Operands {
 public:
  Operands(const Contract& contract, Terms& terms, Domain& domain, Words& words)
      : contract_(contract),
        terms_(terms),
        domain_(domain),
        words_(words),
        divisors_(divisors(contract)),
        limits_(stated_limits(contract)) {}

  void add(unsigned& chosen) {
    add_operands(chosen);
    add_workspaces();
  }

 private:
  /// `word`: the name of the field in `requires`.
  Polynomial add_word(const std::string& field, const std::string& word, std::int64_t least,
                      std::int64_t most) {
    if (const auto known = domain_.words.find(field); known != domain_.words.end()) {
      return known->second;
    }
    const auto found = divisors_.find(word);
    const std::int64_t divisor = found == divisors_.end() ? 1 : found->second;
    if (const auto limits = limits_.find(word); limits != limits_.end()) {
      least = std::max(least, limits->second.least.value_or(least));
      most = std::min(most, limits->second.most.value_or(most));
    }
    const SymbolId id =
        terms_.add({.name = divisor == 1 ? field : fmt::format("{}/{}", field, divisor),
                    .kind = SymbolKind::parameter,
                    .level = Level::grid,
                    .range = Interval{(least + divisor - 1) / divisor, most / divisor}});
    const Polynomial value = Polynomial(divisor) * Polynomial::of(id);
    domain_.words.emplace(field, value);
    return value;
  }

  void add_extent(const std::string& name) {
    words_.numbers.emplace(name, add_word(name, name, 0, kMostExtent));
  }

  SymbolId add_pointer(const std::string& name, std::int64_t alignment) {
    const SymbolId id = terms_.add({.name = name,
                                    .kind = SymbolKind::pointer,
                                    .level = Level::grid,
                                    .range = Interval{1, kMostAddress}});
    terms_.add_fact(id, terms_.equal(terms_.remainder(Polynomial::of(id), alignment), 0));
    words_.pointers.emplace(name, id);
    return id;
  }

  /// The stride of axis `axis` of a buffer: a field of the case if the kernel takes it, or else the
  /// length of the axis that lies within a step. `field`: its name in a case, `word`: in
  /// expressions.
  void set_stride(Buffer& buffer, std::size_t axis, const Polynomial& least, bool is_taken,
                  const std::string& field, const std::string& word) {
    Polynomial& stride = buffer.axes[axis].stride;
    stride = least;
    if (is_taken) {
      stride = add_word(field, word, 1, kMostStride);
      if (buffer.is_nested) domain_.conditions.push_back(terms_.at_most(least, stride));
    }
    words_.numbers.emplace(word, stride);
  }

  void add_buffer(Buffer buffer) {
    buffer.pointer = add_pointer(buffer.name, buffer.element_bytes);
    domain_.buffers.push_back(std::move(buffer));
  }

  /// Returns the value of a transposition, of which the proof takes both in turn.
  bool is_transposed(const std::string& field, unsigned& chosen) {
    if (field.empty()) return false;
    const bool result = (chosen & 1U) != 0;
    chosen >>= 1U;
    words_.numbers.emplace(field, result ? 1 : 0);
    domain_.words.emplace(field, result ? 1 : 0);
    return result;
  }

  void add_operands(unsigned& chosen) {
    using Kind = campaign::FieldKind;
    const campaign::OperationCases& operation = campaign::operation_cases(contract_);
    const std::vector<campaign::OperandFields> operands = operation.operands(contract_, {});
    for (const campaign::CaseField& field : operation.fields(contract_, operands)) {
      const bool is_size = field.kind == Kind::extent || field.kind == Kind::batch;
      if (is_size && field.is_taken) add_extent(field.name);
    }
    const contract::TypedOperation* const typed = contract_.tensors.get();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].is_taken) continue;
      if (typed != nullptr && is_updated(typed->operation, operands[i].name)) continue;
      Buffer buffer = operand_buffer(operands[i], chosen);
      if (typed != nullptr) add_values(*typed, typed->tensors[i], buffer);
      add_buffer(std::move(buffer));
    }
  }

  Buffer operand_buffer(const campaign::OperandFields& operand, unsigned& chosen) {
    Buffer buffer{.name = operand.argument,
                  .is_output = operand.is_output,
                  .element_bytes = static_cast<std::int64_t>(size_of(operand.type)),
                  .is_nested = operand.orders.count() <= 1};
    std::vector<Axis>& axes = buffer.axes;
    for (const std::string& name : operand.shape) axes.push_back({dimension(name), 1});
    if (axes.empty()) axes.push_back({1, 1});
    const bool by_column = operand.layout == contract::Layout::column;
    if (by_column != is_transposed(operand.transposition, chosen)) {
      std::swap(axes[axes.size() - 2], axes.back());
    }
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      const Polynomial least =
          axis + 1 == axes.size() ? Polynomial(1) : axes[axis + 1].extent * axes[axis + 1].stride;
      axes[axis].stride = least;
      for (const auto& stride : operand.strides) {
        if (axes.size() - 1 - stride.within != axis) continue;
        set_stride(buffer, axis, least, stride.is_taken, stride.field, stride.name);
      }
    }
    return buffer;
  }

  /// A workspace is an array of bytes until the accesses of the kernel show its elements.
  void add_workspaces() {
    Expressions expressions(terms_, words_);
    constexpr std::int64_t kAlignment = 256;  // that of an allocation
    for (const contract::Workspace& workspace : contract_.workspaces) {
      const Expression size = workspace.bytes
                                  ? *workspace.bytes
                                  : campaign::case_schema(contract_).default_workspace_bytes;
      Buffer buffer{.name = workspace.name,
                    .element_bytes = 1,
                    .axes = {{expressions.number(*size.root()), 1}},
                    .is_undefined = workspace.zeroed ? kFalse : kTrue,
                    .pointer = add_pointer(workspace.name, kAlignment)};
      add_factors(*size.root(), expressions, buffer.factors);
      domain_.buffers.push_back(std::move(buffer));
    }
  }

  static void add_factors(const Node& node, Expressions& expressions,
                          std::vector<Polynomial>& factors) {
    if (node.op != Operator::multiply) return factors.push_back(expressions.number(node));
    for (const auto& operand : node.operands) add_factors(*operand, expressions, factors);
  }

  Polynomial dimension(const std::string& text) {
    if (const auto number = operation::constant_extent(text)) return *number;
    if (!operation::is_compound(text)) return words_.numbers.at(text);
    const Polynomial size = Expressions(terms_, words_, requirements(contract_, terms_, words_))
                                .number(*Expression::parse(text, contract_.where).root());
    return terms_.choice(terms_.at_most(0, size), size, 0);
  }

  /// The values of a tensor before the launch.
  void add_values(const contract::TypedOperation& typed, const operation::Tensor& tensor,
                  Buffer& buffer) {
    buffer.limits = limits_of(typed, tensor);
    if (buffer.is_output && tensor.updates.empty()) buffer.is_undefined = kTrue;
    if (!buffer.limits) return;
    // No case has an element without a value.
    std::vector<Formula> parts = {terms_.at_most(buffer.limits->first, buffer.limits->second)};
    for (const Axis& axis : buffer.axes) parts.push_back(terms_.at_most(axis.extent, 0));
    domain_.conditions.push_back(terms_.any(parts));
  }

  /// The limits of the integers of an input: those of its range, or positions along an extent. The
  /// kernel may write other integers to outputs.
  std::optional<std::pair<Polynomial, Polynomial>> limits_of(const contract::TypedOperation& typed,
                                                             const operation::Tensor& tensor) {
    const auto value = [&](const operation::Limit& limit) {
      const auto number = static_cast<std::int64_t>(limit.number);
      return limit.extent.empty() ? Polynomial(number) : dimension(limit.extent) + number;
    };
    if (typed.is_output(tensor.name) || !is_integer(typed.types.find(tensor.name)->second)) {
      return std::nullopt;
    }
    if (tensor.range) return std::pair(value(tensor.range->first), value(tensor.range->second));
    if (!tensor.integer) return std::nullopt;
    const auto extent = campaign::tensor::indexed_extent(typed, tensor);
    if (!extent) return std::nullopt;
    return std::pair(Polynomial(0), dimension(*extent) - 1);
  }

  const Contract& contract_;
  Terms& terms_;
  Domain& domain_;
  Words& words_;
  std::map<std::string, std::int64_t> divisors_;
  std::map<std::string, Interval> limits_;
};

}  // namespace

void add_operands(const Contract& contract, Terms& terms, unsigned& chosen, Domain& domain,
                  Words& words) {
  Operands(contract, terms, domain, words).add(chosen);
}

}  // namespace warpcheck::proof

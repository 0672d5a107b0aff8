#include "proof/domain/operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

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
    if (contract_.tensors) {
      add_tensors();
    } else {
      add_product(chosen);
    }
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

  /// Words for which the proof takes each of their two values in turn.
  bool is_transposed(ArgumentWord word, unsigned& chosen) {
    if (!contract_.takes(word)) return false;
    const bool result = (chosen & 1U) != 0;
    chosen >>= 1U;
    words_.numbers.emplace(contract::name(word), result ? 1 : 0);
    domain_.words.emplace(contract::name(word), result ? 1 : 0);
    return result;
  }

  struct MatrixWords {
    ArgumentWord leading_dimension;
    ArgumentWord batch_stride;
    const char* leading_field;
    const char* batch_field;
  };

  void add_matrix(const char* name, ScalarType type, bool by_row, const Polynomial& rows,
                  const Polynomial& columns, const MatrixWords& words, bool is_output) {
    const bool has_batch = contract_.takes(ArgumentWord::batch);
    Buffer buffer{.name = name,
                  .is_output = is_output,
                  .element_bytes = static_cast<std::int64_t>(size_of(type)),
                  .axes = {{by_row ? rows : columns, 0}, {by_row ? columns : rows, 1}}};
    if (has_batch) buffer.axes.insert(buffer.axes.begin(), {words_.numbers.at("batch"), 0});
    const std::size_t lines = buffer.axes.size() - 2;
    set_stride(buffer, lines, buffer.axes.back().extent, contract_.takes(words.leading_dimension),
               words.leading_field, std::string(contract::name(words.leading_dimension)));
    if (has_batch) {
      set_stride(buffer, 0, buffer.axes[lines].extent * buffer.axes[lines].stride,
                 contract_.takes(words.batch_stride), words.batch_field,
                 std::string(contract::name(words.batch_stride)));
    }
    add_buffer(std::move(buffer));
  }

  void add_product(unsigned& chosen) {
    for (const char* const name : {"m", "n", "k"}) add_extent(name);
    if (contract_.takes(ArgumentWord::batch)) add_extent("batch");
    const Polynomial m = words_.numbers.at("m");
    const Polynomial n = words_.numbers.at("n");
    const Polynomial k = words_.numbers.at("k");
    const auto by_row = [](contract::Layout layout) { return layout == contract::Layout::row; };
    const bool has_d = contract_.takes(ArgumentWord::d);
    add_matrix("a", contract_.type_a,
               by_row(contract_.layout_a) != is_transposed(ArgumentWord::ta, chosen), m, k,
               {ArgumentWord::lda, ArgumentWord::stride_a, "lda", "stride_a"}, false);
    add_matrix("b", contract_.type_b,
               by_row(contract_.layout_b) != is_transposed(ArgumentWord::tb, chosen), k, n,
               {ArgumentWord::ldb, ArgumentWord::stride_b, "ldb", "stride_b"}, false);
    add_matrix("c", contract_.type_c, by_row(contract_.layout_c), m, n,
               {ArgumentWord::ldc, ArgumentWord::stride_c, "ldc", "stride_c"}, !has_d);
    if (has_d) {
      add_matrix("d", contract_.type_c, by_row(contract_.layout_c), m, n,
                 {ArgumentWord::ldd, ArgumentWord::stride_d, "ldc", "stride_c"}, true);
    }
    if (contract_.takes(ArgumentWord::bias)) {
      add_buffer({.name = "bias",
                  .element_bytes = static_cast<std::int64_t>(size_of(contract_.type_c)),
                  .axes = {{n, 1}}});
    }
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

  void add_tensors() {
    const contract::TypedOperation& typed = *contract_.tensors;
    for (const std::string& name : typed.operation.extents) add_extent(name);
    for (const operation::Tensor& tensor : typed.tensors) {
      if (!operation::is_updated(typed.operation, tensor.name)) add_tensor(typed, tensor);
    }
  }

  void add_tensor(const contract::TypedOperation& typed, const operation::Tensor& tensor) {
    Buffer buffer{
        .name = tensor.name,
        .is_output = typed.is_output(tensor.name),
        .element_bytes = static_cast<std::int64_t>(size_of(typed.types.find(tensor.name)->second)),
        .limits = limits_of(typed, tensor),
        .is_undefined = typed.is_output(tensor.name) && tensor.updates.empty() ? kTrue : kFalse};
    for (const std::string& name : tensor.shape) buffer.axes.push_back({dimension(name), 1});
    if (buffer.axes.empty()) buffer.axes.push_back({1, 1});
    std::vector<Axis>& axes = buffer.axes;
    const campaign::tensor::StrideNames names = campaign::tensor::stride_names(contract_, tensor);
    buffer.is_nested = names.orders.count() <= 1;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      const Polynomial least =
          axis + 1 == axes.size() ? Polynomial(1) : axes[axis + 1].extent * axes[axis + 1].stride;
      axes[axis].stride = least;
      for (const auto& stride : names.strides) {
        if (axes.size() - 1 - stride.within != axis) continue;
        set_stride(buffer, axis, least, stride.is_taken, stride.name, stride.name);
      }
    }
    if (buffer.limits) {  // no case has an element without a value
      std::vector<Formula> parts = {terms_.at_most(buffer.limits->first, buffer.limits->second)};
      for (const Axis& axis : axes) parts.push_back(terms_.at_most(axis.extent, 0));
      domain_.conditions.push_back(terms_.any(parts));
    }
    add_buffer(std::move(buffer));
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

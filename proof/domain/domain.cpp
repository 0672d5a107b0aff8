#include "proof/domain/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "contract/contract_words.hpp"
#include "operation/extent.hpp"
#include "proof/domain/expressions.hpp"

namespace warpcheck::proof {
namespace {

using contract::Argument;
using contract::ArgumentWord;
using contract::Contract;
using contract::Expression;
using contract::LaunchStep;
using contract::Operator;
using Node = Expression::Node;

constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};
constexpr std::array<std::int64_t, 3> kMostBlocks = {(std::int64_t{1} << 31) - 1, 65535, 65535};
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

class Builder {
 public:
  Builder(const contract::Variant& variant, Terms& terms)
      : contract_(variant.contract),
        entry_(variant.entries.front()),
        step_(variant.contract.launches.front()),
        terms_(terms),
        divisors_(divisors(variant.contract)),
        limits_(stated_limits(variant.contract)) {}

  Domain build(unsigned choices) {
    require_supported();
    if (contract_.tensors) {
      add_tensors();
    } else {
      add_product();
    }
    Expressions expressions(terms_, words_);
    for (const Argument& argument : step_.arguments) add_parameter(argument, expressions);
    add_requirements(expressions);
    add_launch(choices);
    return std::move(domain_);
  }

 private:
  void require_supported() const {
    if (contract_.launches.size() != 1) {
      throw Unsupported("the variant has several launches, and prove covers one");
    }
    if (step_.cluster) throw Unsupported("the launch has clusters of blocks");
    if (!contract_.tensor_maps.empty()) throw Unsupported("the kernel has a tensor map");
    if (!contract_.workspaces.empty()) throw Unsupported("the kernel has a workspace");
    if (!contract_.tensors &&
        (contract_.takes(ArgumentWord::ta) || contract_.takes(ArgumentWord::tb))) {
      throw Unsupported("the arguments ta and tb choose the layout of the operands");
    }
    if (!contract_.tensors && contract_.takes(ArgumentWord::batch)) {
      throw Unsupported("the kernel has a batch of products");
    }
  }

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

  SymbolId add_pointer(const std::string& name, std::int64_t element_bytes) {
    const SymbolId id = terms_.add({.name = name,
                                    .kind = SymbolKind::pointer,
                                    .level = Level::grid,
                                    .range = Interval{0, kMostAddress}});
    terms_.add_fact(id, terms_.equal(terms_.remainder(Polynomial::of(id), element_bytes), 0));
    words_.pointers.emplace(name, id);
    return id;
  }

  /// `field`: that of the stride in a case; `word`: its name in expressions.
  void add_matrix(Matrix matrix, bool has_rows, bool takes_stride, const std::string& field,
                  const std::string& word) {
    if (has_rows) {
      matrix.stride = matrix.columns;
      if (takes_stride) {
        matrix.stride = add_word(field, word, 1, kMostStride);
        domain_.conditions.push_back(terms_.at_most(matrix.columns, *matrix.stride));
      }
      words_.numbers.emplace(word, *matrix.stride);
    }
    matrix.pointer = add_pointer(matrix.name, matrix.element_bytes);
    domain_.matrices.push_back(std::move(matrix));
  }

  void add_product() {
    for (const char* const name : {"m", "n", "k"}) add_extent(name);
    const Polynomial& m = words_.numbers.at("m");
    const Polynomial& n = words_.numbers.at("n");
    const Polynomial& k = words_.numbers.at("k");
    const bool has_d = contract_.takes(ArgumentWord::d);
    const auto add = [&](const char* name, ScalarType type, contract::Layout layout,
                         const Polynomial& rows, const Polynomial& columns, ArgumentWord stride,
                         const char* field, bool is_output) {
      const bool by_row = layout == contract::Layout::row;
      add_matrix({.name = name,
                  .is_output = is_output,
                  .element_bytes = static_cast<std::int64_t>(size_of(type)),
                  .rows = by_row ? rows : columns,
                  .columns = by_row ? columns : rows},
                 true, contract_.takes(stride), field, std::string(contract::name(stride)));
    };
    add("a", contract_.type_a, contract_.layout_a, m, k, ArgumentWord::lda, "lda", false);
    add("b", contract_.type_b, contract_.layout_b, k, n, ArgumentWord::ldb, "ldb", false);
    add("c", contract_.type_c, contract_.layout_c, m, n, ArgumentWord::ldc, "ldc", !has_d);
    if (has_d) add("d", contract_.type_c, contract_.layout_c, m, n, ArgumentWord::ldd, "ldc", true);
    if (contract_.takes(ArgumentWord::bias)) {
      add_matrix({.name = "bias",
                  .element_bytes = static_cast<std::int64_t>(size_of(contract_.type_c)),
                  .columns = n},
                 false, false, "", "");
    }
  }

  Polynomial dimension(const std::string& text) {
    if (const auto number = operation::constant_extent(text)) return *number;
    if (!operation::is_sum(text)) return words_.numbers.at(text);
    const auto parsed = operation::parse_dimension(text);
    if (!parsed) throw Unsupported(fmt::format("the dimension {} is not a sum of extents", text));
    Polynomial sum = parsed->constant;
    for (const auto& [name, factor] : parsed->terms) {
      sum = sum + Polynomial(factor) * words_.numbers.at(name);
    }
    return terms_.choice(terms_.at_most(0, sum), sum, 0);
  }

  void add_tensors() {
    const contract::TypedOperation& typed = *contract_.tensors;
    for (const std::string& name : typed.operation.extents) add_extent(name);
    for (const operation::Tensor& tensor : typed.tensors) {
      if (operation::is_updated(typed.operation, tensor.name)) continue;
      if (tensor.shape.size() > 2) {
        throw Unsupported(fmt::format("{} has more than two dimensions", tensor.name));
      }
      const bool has_rows = tensor.shape.size() == 2;
      const std::string stride = contract::stride_field(tensor.name);
      const auto takes = [&](const Argument& argument) {
        return argument.text == stride || argument.value.names().contains(stride);
      };
      add_matrix({.name = tensor.name,
                  .is_output = typed.is_output(tensor.name),
                  .element_bytes =
                      static_cast<std::int64_t>(size_of(typed.types.find(tensor.name)->second)),
                  .rows = has_rows ? dimension(tensor.shape.front()) : 1,
                  .columns = tensor.shape.empty() ? 1 : dimension(tensor.shape.back())},
                 has_rows, takes_in_contract(stride, takes), stride, stride);
    }
  }

  /// True if a case states the stride: the contract's arguments or expressions use it.
  template <class Takes>
  bool takes_in_contract(const std::string& stride, const Takes& takes) const {
    if (std::any_of(step_.arguments.begin(), step_.arguments.end(), takes)) return true;
    const auto uses = [&](const Expression& expression) {
      return expression.names().contains(stride);
    };
    return std::any_of(step_.grid.begin(), step_.grid.end(), uses) ||
           std::any_of(step_.block.begin(), step_.block.end(), uses) || uses(step_.shared);
  }

  void add_parameter(const Argument& argument, Expressions& expressions) {
    const std::size_t number = domain_.parameters.size();
    const bool floating = number < entry_.parameters.size() && entry_.parameters[number].floating;
    if (const auto pointer = words_.pointers.find(argument.text);
        pointer != words_.pointers.end()) {
      domain_.parameters.emplace_back(Polynomial::of(pointer->second));
    } else if (floating) {
      domain_.parameters.emplace_back(Scalar{argument.text});
    } else if (const auto word = words_.numbers.find(argument.text); word != words_.numbers.end()) {
      domain_.parameters.emplace_back(word->second);
    } else if (argument.word == ArgumentWord::expression) {
      domain_.parameters.emplace_back(expressions.number(*argument.value.root()));
    } else {
      domain_.parameters.push_back(literal(argument.text));
    }
  }

  /// An integer, or a parameter of which nothing is known.
  Value literal(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return Polynomial(value);
    return terms_.unknown(text, Level::grid);
  }

  /// Without a condition that has no polynomial, the theorem covers more cases.
  void add_requirements(Expressions& expressions) {
    for (const Expression& requirement : contract_.requires_) {
      for (const Expression& conjunct : requirement.conjuncts()) {
        try {
          domain_.conditions.push_back(expressions.condition(*conjunct.root()));
        } catch (const Unsupported&) {
          continue;
        }
      }
    }
  }

  void add_launch(unsigned choices) {
    Expressions expressions(terms_, words_);
    domain_.dynamic_shared = constant(expressions, step_.shared, "shared").value_or(0);
    expressions.choose(choices);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      add_threads(axis, constant(expressions, step_.block[axis], "block").value_or(1));
      add_blocks(axis, expressions);
    }
    for (const Formula assumed : expressions.assumptions()) domain_.conditions.push_back(assumed);
    std::erase(domain_.conditions, kTrue);
  }

  static std::optional<std::int64_t> constant(Expressions& expressions,
                                              const Expression& expression, const char* key) {
    if (expression.root() == nullptr) return std::nullopt;
    const auto value = expressions.number(*expression.root()).constant();
    if (!value) throw Unsupported(fmt::format("`{}` of the contract depends on a size", key));
    return value;
  }

  void add_threads(std::size_t axis, std::int64_t count) {
    domain_.block_shape[axis] = count;
    if (count == 1) return;
    const SymbolId id = terms_.add({.name = fmt::format("threadIdx.{}", kAxes[axis]),
                                    .kind = SymbolKind::thread_index,
                                    .range = Interval{0, count - 1}});
    domain_.thread[axis] = Polynomial::of(id);
    domain_.threads.push_back(id);
  }

  Polynomial add_block_symbol(const std::string& name, const Polynomial& count) {
    const SymbolId id = terms_.add({.name = name,
                                    .kind = SymbolKind::block_index,
                                    .level = Level::block,
                                    .range = Interval{0, terms_.range(count).most}});
    terms_.add_fact(id, terms_.less(Polynomial::of(id), count));
    domain_.blocks.push_back(id);
    return Polynomial::of(id);
  }

  void add_blocks(std::size_t axis, Expressions& expressions) {
    const Node* const root = step_.grid[axis].root();
    domain_.grid[axis] = 1;
    if (root == nullptr) return;
    const std::string name = fmt::format("blockIdx.{}", kAxes[axis]);
    std::vector<Polynomial> factors;
    if (root->op == Operator::multiply) {
      for (const auto& operand : root->operands) factors.push_back(expressions.number(*operand));
    }
    if (factors.size() == 2 && !factors[0].constant() && !factors[1].constant()) {
      domain_.grid[axis] = factors[0] * factors[1];
      const Polynomial quotient = add_block_symbol(name + "/", factors[0]);
      const Polynomial rest = add_block_symbol(name + "%", factors[1]);
      domain_.products[axis] = AxisProduct{quotient, factors[1]};
      domain_.block[axis] = quotient * factors[1] + rest;
      for (const Polynomial& factor : factors) {
        domain_.conditions.push_back(terms_.at_most(1, factor));
      }
      return;
    }
    const Polynomial count =
        factors.size() == 2 ? factors[0] * factors[1] : expressions.number(*root);
    domain_.grid[axis] = count;
    domain_.conditions.push_back(terms_.within(count, 1, kMostBlocks[axis]));
    if (count.constant() != 1) domain_.block[axis] = add_block_symbol(name, count);
  }

  const Contract& contract_;
  const contract::Entry& entry_;
  const LaunchStep& step_;
  Terms& terms_;
  std::map<std::string, std::int64_t> divisors_;
  std::map<std::string, Interval> limits_;
  Words words_;
  Domain domain_;
};

unsigned choices_in(const Node& node) {
  unsigned count = 0;
  for (const auto& operand : node.operands) count += choices_in(*operand);
  const bool is_extremum = node.op == Operator::minimum || node.op == Operator::maximum;
  return count + (is_extremum ? 1 : 0);
}

}  // namespace

const Matrix* Domain::matrix_at(SymbolId pointer) const {
  const auto found = std::find_if(matrices.begin(), matrices.end(),
                                  [&](const Matrix& matrix) { return matrix.pointer == pointer; });
  return found == matrices.end() ? nullptr : &*found;
}

unsigned grid_choices(const contract::Contract& contract) {
  unsigned count = 0;
  for (const Expression& axis : contract.launches.front().grid) {
    if (axis.root() != nullptr) count += choices_in(*axis.root());
  }
  return count;
}

Domain make_domain(const contract::Variant& variant, Terms& terms, unsigned choices) {
  return Builder(variant, terms).build(choices);
}

}  // namespace warpcheck::proof

#include "proof/domain/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "contract/contract_words.hpp"
#include "proof/domain/expressions.hpp"
#include "proof/domain/operands.hpp"
#include "proof/solve/solver.hpp"

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
constexpr std::int64_t kMostThreads = 1024;    // threads of a block
constexpr std::int64_t kMostShared = 232'448;  // bytes, compute capability 9.0
constexpr std::array<std::int64_t, 3> kMostBlocks = {(std::int64_t{1} << 31) - 1, 65535, 65535};

/// The launch takes the address of the buffer, or a tensor map of it.
bool takes(const Contract& contract, const LaunchStep& step, const std::string& buffer) {
  return std::ranges::any_of(step.arguments, [&](const Argument& argument) {
    if (argument.word != ArgumentWord::tensor_map) return argument.text == buffer;
    return contract::name(contract.tensor_map(argument).of) == buffer;
  });
}

class Builder {
 public:
  Builder(const contract::Variant& variant, Terms& terms)
      : variant_(variant), contract_(variant.contract), terms_(terms) {}

  /// The contract without its launches.
  void add_cases(unsigned& chosen) {
    add_operands(contract_, terms_, chosen, domain_, words_);
    required_ = requirements(contract_, terms_, words_);
    add_conditions(required_);
    Expressions expressions(terms_, words_, required_);
    for (const LaunchStep& step : contract_.launches) {
      domain_.runs.push_back(step.when ? when(*step.when, expressions) : kTrue);
    }
  }

  void add_launch(std::size_t launch, unsigned chosen) {
    entry_ = &variant_.entries[launch];
    step_ = &contract_.launches[launch];
    require_supported();
    Expressions expressions(terms_, words_, required_);
    expressions.assume_values();
    for (const Argument& argument : step_->arguments) add_parameter(argument, expressions);
    add_conditions(expressions.assumptions());
    if (!contract_.tensors) set_undefined_matrices();
    const auto later = std::span(contract_.launches).subspan(launch + 1);
    for (Buffer& buffer : domain_.buffers) {
      const auto takes_always = [&](const LaunchStep& step) {
        return !step.when && takes(contract_, step, buffer.name);
      };
      buffer.is_covered_elsewhere =
          !takes(contract_, *step_, buffer.name) || std::ranges::any_of(later, takes_always);
    }
    domain_.conditions.push_back(domain_.runs[launch]);
    add_shape(chosen);
  }

  Domain take() {
    std::erase(domain_.conditions, kTrue);
    return std::move(domain_);
  }

 private:
  void require_supported() const {
    if (contract_.predecessor.any()) {
      throw Unsupported("the kernel starts before the preceding one has finished");
    }
  }

  Formula when(const Expression& condition, Expressions& expressions) {
    try {
      return expressions.condition(*condition.root());
    } catch (const Unsupported&) {
      return terms_.unknown_truth("a condition of a launch", Level::grid);
    }
  }

  /// True if the factor of C, a floating-point number or an integer, is 0.
  Formula beta_is_zero() {
    for (std::size_t i = 0; i < step_->arguments.size(); ++i) {
      if (step_->arguments[i].word != ArgumentWord::beta) continue;
      const auto* const number = std::get_if<Polynomial>(&domain_.parameters[i]);
      if (number != nullptr) return terms_.equal(*number, 0);
      return terms_.all({terms_.named_truth("beta eq 0 f32"), terms_.named_truth("beta eq 0 f64")});
    }
    return kTrue;
  }

  /// D has no values before the launch, and C has none if beta is 0.
  void set_undefined_matrices() {
    for (Buffer& buffer : domain_.buffers) {
      if (buffer.name == "d") buffer.is_undefined = kTrue;
      if (buffer.name == "c" && !contract_.reads_c_at_beta_zero) {
        buffer.is_undefined = beta_is_zero();
      }
    }
  }

  void add_parameter(const Argument& argument, Expressions& expressions) {
    const std::size_t number = domain_.parameters.size();
    const bool floating = number < entry_->parameters.size() && entry_->parameters[number].floating;
    if (argument.word == ArgumentWord::tensor_map) {
      add_tensor_map(contract_.tensor_map(argument), expressions);
      domain_.parameters.emplace_back(Scalar{argument.text});
    } else if (const auto pointer = words_.pointers.find(argument.text);
               pointer != words_.pointers.end()) {
      domain_.parameters.emplace_back(Polynomial::of(pointer->second));
    } else if (floating) {
      domain_.parameters.emplace_back(Scalar{argument.text});
    } else if (const auto word = words_.numbers.find(argument.text); word != words_.numbers.end()) {
      domain_.parameters.emplace_back(word->second);
    } else if (argument.word == ArgumentWord::expression) {
      domain_.parameters.emplace_back(expressions.number(*argument.value.root()));
    } else {
      domain_.parameters.push_back(literal(argument.text, number));
    }
  }

  void add_tensor_map(const contract::TensorMapArgument& described, Expressions& expressions) {
    TensorMap map{std::string(contract::name(described.of)), {}, described.swizzle};
    for (const Expression& extent : described.box) {
      const auto count = expressions.number(*extent.root()).constant();
      if (!count) throw Unsupported("the box of a tensor map depends on sizes");
      map.box.insert(map.box.begin(), *count);  // the contract begins with the innermost dimension
    }
    domain_.tensor_maps.emplace(domain_.parameters.size(), std::move(map));
  }

  /// An integer, or a parameter of which only the size is known.
  Value literal(const std::string& text, std::size_t parameter) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return Polynomial(value);
    const bool is_narrow =
        parameter < entry_->parameters.size() && entry_->parameters[parameter].bytes <= 4;
    constexpr std::int64_t kHalf = std::int64_t{1} << 31;
    return terms_.unknown(text, Level::grid, is_narrow ? Interval{-kHalf, kHalf - 1} : Interval{});
  }

  void add_conditions(const std::vector<Formula>& conditions) {
    domain_.conditions.insert(domain_.conditions.end(), conditions.begin(), conditions.end());
  }

  void add_shape(unsigned chosen) {
    Expressions expressions(terms_, words_, required_);
    expressions.assume_values();
    if (step_->shared.root() != nullptr) {
      domain_.dynamic_shared = expressions.number(*step_->shared.root());
      domain_.conditions.push_back(terms_.within(domain_.dynamic_shared, 0, kMostShared));
    }
    if (step_->cluster) {
      for (std::size_t axis = 0; axis < 3; ++axis) domain_.cluster[axis] = cluster_extent(axis);
    }
    expressions.choose(chosen);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Node* const root = step_->block[axis].root();
      add_threads(axis, root == nullptr ? 1 : expressions.number(*root));
      add_blocks(axis, expressions);
    }
    add_conditions(expressions.assumptions());
  }

  void add_threads(std::size_t axis, const Polynomial& count) {
    domain_.block_shape[axis] = count;
    domain_.conditions.push_back(terms_.within(count, 1, kMostThreads));
    if (count == Polynomial(1)) return;
    const std::int64_t most =
        std::min(terms_.range(count).most.value_or(kMostThreads), kMostThreads);
    const SymbolId id = terms_.add({.name = fmt::format("threadIdx.{}", kAxes[axis]),
                                    .kind = SymbolKind::thread_index,
                                    .range = Interval{0, most - 1}});
    if (!count.constant()) terms_.add_fact(id, terms_.less(Polynomial::of(id), count));
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

  std::int64_t cluster_extent(std::size_t axis) {
    const Node* const root = (*step_->cluster)[axis].root();
    if (root == nullptr) return 1;
    Expressions expressions(terms_, words_);
    const auto extent = expressions.number(*root).constant();
    if (!extent || *extent < 1) throw Unsupported("the blocks of a cluster depend on sizes");
    return *extent;
  }

  /// The index of a block is that of its cluster times the blocks of a cluster, plus its index in
  /// the cluster.
  void add_clusters(std::size_t axis, const Polynomial& count, const std::string& name) {
    const std::int64_t extent = domain_.cluster[axis];
    if (!count.is_multiple_of(extent)) {
      throw Unsupported("that the grid consists of whole clusters is not found");
    }
    const Polynomial index =
        add_block_symbol(fmt::format("{}/{}", name, extent), count.divided_by(extent));
    domain_.clusters.push_back(domain_.blocks.back());
    domain_.rank[axis] = add_block_symbol(fmt::format("{}%{}", name, extent), extent);
    domain_.block[axis] = Polynomial(extent) * index + domain_.rank[axis];
  }

  void add_blocks(std::size_t axis, Expressions& expressions) {
    const Node* const root = step_->grid[axis].root();
    domain_.grid[axis] = 1;
    if (root == nullptr && domain_.cluster[axis] == 1) return;
    if (root == nullptr) throw Unsupported("the grid has fewer blocks than a cluster");
    const std::string name = fmt::format("blockIdx.{}", kAxes[axis]);
    std::vector<Polynomial> factors;
    if (root->op == Operator::multiply) {
      for (const auto& operand : root->operands) factors.push_back(expressions.number(*operand));
    }
    const bool has_product =
        factors.size() == 2 && !factors[0].constant() && !factors[1].constant();
    if (has_product && domain_.cluster[axis] == 1) {
      domain_.grid[axis] = factors[0] * factors[1];
      const Polynomial quotient = add_block_symbol(name + "/", factors[0]);
      const Polynomial rest = add_block_symbol(name + "%", factors[1]);
      domain_.products[axis] = AxisProduct{quotient, factors[1]};
      domain_.block[axis] = quotient * factors[1] + rest;
      domain_.clusters.insert(domain_.clusters.end(), domain_.blocks.end() - 2,
                              domain_.blocks.end());
      for (const Polynomial& factor : factors) {
        domain_.conditions.push_back(terms_.at_most(1, factor));
      }
      return;
    }
    const Polynomial count =
        factors.size() == 2 ? factors[0] * factors[1] : expressions.number(*root);
    domain_.grid[axis] = count;
    domain_.conditions.push_back(terms_.within(count, 1, kMostBlocks[axis]));
    if (domain_.cluster[axis] != 1) return add_clusters(axis, count, name);
    if (count.constant() == 1) return;
    domain_.block[axis] = add_block_symbol(name, count);
    domain_.clusters.push_back(domain_.blocks.back());
  }

  const contract::Variant& variant_;
  const Contract& contract_;
  const contract::Entry* entry_ = nullptr;  // those of the launch
  const LaunchStep* step_ = nullptr;
  Terms& terms_;
  Words words_;
  std::vector<Formula> required_;
  Domain domain_;
};

/// The words `ta` and `tb` that a kernel takes.
unsigned transpositions(const Contract& contract) {
  unsigned count = 0;
  for (const ArgumentWord word : {ArgumentWord::ta, ArgumentWord::tb}) {
    count += !contract.tensors && contract.takes(word) ? 1 : 0;
  }
  return count;
}

unsigned choices_in(const Node& node) {
  unsigned count = 0;
  for (const auto& operand : node.operands) count += choices_in(*operand);
  const bool is_extremum = node.op == Operator::minimum || node.op == Operator::maximum;
  return count + (is_extremum ? 1 : 0);
}

}  // namespace

const Buffer* Domain::buffer_at(SymbolId pointer) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const Buffer& buffer) { return buffer.pointer == pointer; });
  return found == buffers.end() ? nullptr : &*found;
}

const Buffer& Domain::buffer_of(const TensorMap& map) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const Buffer& buffer) { return buffer.name == map.buffer; });
  if (found == buffers.end()) throw Unsupported("a tensor map describes no operand");
  return *found;
}

Polynomial Domain::cluster_rank() const {
  return rank[0] + Polynomial(cluster[0]) * (rank[1] + Polynomial(cluster[1]) * rank[2]);
}

Polynomial Domain::thread_number() const {
  return thread[0] + block_shape[0] * (thread[1] + block_shape[1] * thread[2]);
}

unsigned choices(const contract::Contract& contract, std::size_t launch) {
  unsigned count = transpositions(contract);
  const LaunchStep& step = contract.launches[launch];
  for (const auto& shape : {step.block, step.grid}) {
    for (const Expression& axis : shape) {
      if (axis.root() != nullptr) count += choices_in(*axis.root());
    }
  }
  return count;
}

Domain make_domain(const contract::Variant& variant, std::size_t launch, Terms& terms,
                   unsigned chosen) {
  Builder builder(variant, terms);
  builder.add_cases(chosen);
  builder.add_launch(launch, chosen);
  return builder.take();
}

bool is_certain(const contract::Variant& variant, const std::string& buffer) {
  const Contract& contract = variant.contract;
  const auto& launches = contract.launches;
  const auto is_always = [&](const LaunchStep& step) {
    return !step.when && takes(contract, step, buffer);
  };
  if (std::ranges::any_of(launches, is_always)) return true;
  for (unsigned choice = 0; choice < 1U << transpositions(variant.contract); ++choice) {
    Terms terms;
    Solver solver(terms);
    Builder builder(variant, terms);
    unsigned chosen = choice;
    builder.add_cases(chosen);
    const Domain domain = builder.take();
    for (const Formula condition : domain.conditions) solver.assume(condition);
    std::vector<Formula> skipped;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (takes(contract, launches[i], buffer)) skipped.push_back(terms.negate(domain.runs[i]));
    }
    if (solver.check(skipped) != Satisfiability::impossible) return false;
  }
  return true;
}

}  // namespace warpcheck::proof

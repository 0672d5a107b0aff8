#include "workflows/diff/domain_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "contract/contract_words.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/normalized.hpp"
#include "properties/case/tensor_case.hpp"
#include "reference/format.hpp"

namespace warpcheck::workflows::diff {
namespace {

using contract::Argument;
using contract::ArgumentWord;
using contract::Contract;
using reference::format;

/// True if `wider` represents every value of `type`.
bool holds(ScalarType wider, ScalarType type) {
  if (wider == type) return true;
  if (wider == ScalarType::u8) return false;  // no sign
  const reference::Format& in = format(type);
  const reference::Format& out = format(wider);
  return in.precision <= out.precision && in.largest <= out.largest &&
         in.smallest_step() >= out.smallest_step();
}

/// The format of most digits whose values both have; empty if there is none.
std::optional<ScalarType> common(ScalarType one, ScalarType other) {
  constexpr std::array kAll = {
      ScalarType::f64,  ScalarType::f32,  ScalarType::tf32, ScalarType::f16, ScalarType::bf16,
      ScalarType::e4m3, ScalarType::e5m2, ScalarType::s32,  ScalarType::s8,  ScalarType::u8};
  for (const ScalarType type : {one, other}) {
    if (holds(one, type) && holds(other, type)) return type;
  }
  for (const ScalarType type : kAll) {
    if (holds(one, type) && holds(other, type)) return type;
  }
  return std::nullopt;
}

/// In which both accumulators count exactly; whole numbers where one of them has no others.
ScalarType narrower_accumulator(ScalarType one, ScalarType other) {
  if (one == ScalarType::s32 || other == ScalarType::s32) return ScalarType::s32;
  return format(one).exact_integers() <= format(other).exact_integers() ? one : other;
}

/// D follows the fields of C in a case.
bool takes_field(const Contract& contract, ArgumentWord word) {
  switch (word) {
    case ArgumentWord::ldc:
    case ArgumentWord::ldd:
      return contract.takes(ArgumentWord::ldc) || contract.takes(ArgumentWord::ldd);
    case ArgumentWord::stride_c:
    case ArgumentWord::stride_d:
      return contract.takes(ArgumentWord::stride_c) || contract.takes(ArgumentWord::stride_d);
    default:
      return contract.takes(word);
  }
}

/// True if a case may vary the value of the argument word: both kernels take it, and both count it
/// along lines of the same direction.
bool varies(const Contract& one, const Contract& other, ArgumentWord word) {
  switch (word) {
    case ArgumentWord::lda:
    case ArgumentWord::stride_a:
      return takes_field(other, word) && one.layout_a == other.layout_a;
    case ArgumentWord::ldb:
    case ArgumentWord::stride_b:
      return takes_field(other, word) && one.layout_b == other.layout_b;
    case ArgumentWord::ldc:
    case ArgumentWord::ldd:
    case ArgumentWord::stride_c:
    case ArgumentWord::stride_d:
      return takes_field(other, word) && one.layout_c == other.layout_c;
    case ArgumentWord::ta:
    case ArgumentWord::tb:
    case ArgumentWord::batch:
    case ArgumentWord::alpha:
    case ArgumentWord::beta:
      return other.takes(word);
    default:
      return true;
  }
}

bool same_shapes(const std::vector<operation::Tensor>& one,
                 const std::vector<operation::Tensor>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const operation::Tensor& x, const operation::Tensor& y) {
                      return x.name == y.name && x.shape == y.shape && x.integer == y.integer;
                    });
}

/// True if the operations of both contracts have the same names and statements.
bool same_definition(const operation::Operation& one, const operation::Operation& other) {
  return one.extents == other.extents && one.scalars == other.scalars &&
         same_shapes(one.inputs, other.inputs) && same_shapes(one.outputs, other.outputs) &&
         print(one) == print(other);
}

/// True if the expression has a stride that the kernel does not take.
bool has_stride_unknown_to(const Contract& contract, const contract::Expression& expression) {
  const auto names = expression.names();
  const auto& tensors = contract.tensors->tensors;
  return std::any_of(tensors.begin(), tensors.end(), [&](const operation::Tensor& tensor) {
    const auto taken = properties::tensor::strides_taken(contract, tensor);
    const std::array fields = {contract::stride_field(tensor.name),
                               contract::batch_stride_field(tensor.name)};
    return std::any_of(fields.begin(), fields.end(), [&](const std::string& field) {
      return names.contains(field) && std::find(taken.begin(), taken.end(), field) == taken.end();
    });
  });
}

std::string_view spelled(bool yes) { return yes ? "adds a bias" : "adds no bias"; }

[[noreturn]] void refuse(const Contract& one, const Contract& other, const std::string& reason) {
  throw InputError(
      Diagnostic{other.where,
                 fmt::format("{} cannot be compared with {}: {}", other.name, one.name, reason),
                 {}});
}

}  // namespace

DomainIntersection::DomainIntersection(const Contract& one, const Contract& other)
    : one_(one), other_(other), joint_(one) {
  if (one.operation != other.operation) {
    refuse(one, other, fmt::format("its operation is {}, not {}", other.operation, one.operation));
  }
  const bool of_language = one.tensors != nullptr;
  if (of_language && !same_definition(one.tensors->operation, other.tensors->operation)) {
    refuse(one, other, fmt::format("its operation {} has another definition", other.operation));
  }
  const bool bias = other.takes(ArgumentWord::bias);
  if (one.takes(ArgumentWord::bias) != bias) {
    refuse(one, other, fmt::format("it {}, and {} {}", spelled(bias), one.name, spelled(!bias)));
  }
  for (contract::LaunchStep& step : joint_.launches) {
    std::erase_if(step.arguments, [&](const Argument& argument) {
      return of_language ? has_stride_unknown_to(other, argument.value)
                         : !varies(one, other, argument.word);
    });
  }
  joint_.requires_.insert(joint_.requires_.end(), other.requires_.begin(), other.requires_.end());
  joint_.reads_c_at_beta_zero = one.reads_c_at_beta_zero || other.reads_c_at_beta_zero;
  if (of_language) {
    join_tensor_types(other);
  } else {
    join_matrix_types(other);
  }
  if (!same_values_) {
    remarks_.push_back("replayed alone, a case draws its operands in the variant's own types");
  }
  for (const Contract* contract : {&one, &other}) {
    if (contract->deterministic) continue;
    remarks_.push_back(fmt::format(
        "{} adds in any order: its bits may differ from one run to the next", contract->name));
  }
}

void DomainIntersection::join(std::string_view operand, ScalarType& type, ScalarType second) {
  if (type == second) return;
  const auto shared = common(type, second);
  if (!shared) {
    refuse(one_, other_,
           fmt::format("{} is {} in one and {} in the other, which share too few values", operand,
                       name(type), name(second)));
  }
  remarks_.push_back(fmt::format("{} is {} in {} and {} in {}: its elements are values of {}",
                                 operand, name(type), one_.name, name(second), other_.name,
                                 name(*shared)));
  type = *shared;
  same_values_ = false;
}

void DomainIntersection::join_matrix_types(const Contract& other) {
  join("A", joint_.type_a, other.type_a);
  join("B", joint_.type_b, other.type_b);
  if (joint_.type_c != other.type_c) {
    join("C", joint_.type_c, other.type_c);
    remarks_.push_back("of D the values are compared, not the bits");
  }
  if (joint_.accumulate != other.accumulate || joint_.tensor_cores != other.tensor_cores) {
    remarks_.push_back(fmt::format(
        "{} accumulates in {}{}, {} in {}{}: each has a bound of its own", one_.name,
        name(joint_.accumulate), joint_.tensor_cores ? " on tensor cores" : "", other.name,
        name(other.accumulate), other.tensor_cores ? " on tensor cores" : ""));
    joint_.accumulate = narrower_accumulator(joint_.accumulate, other.accumulate);
    joint_.tensor_cores = joint_.tensor_cores || other.tensor_cores;
    same_values_ = false;
  }
}

/// The arithmetic of an operation of the language: "f32 with fast functions".
std::string computed_in(const Contract& contract) {
  std::string text(name(contract.accumulate));
  if (contract.tensor_cores) text += " on tensor cores";
  if (contract.fast_math) text += " with fast functions";
  for (const auto& [tensor, type] : contract.tensors->intermediate_types) {
    text += fmt::format(", {} in {}", tensor, name(type));
  }
  return text;
}

/// The operands do not depend on the type in which a kernel computes.
void DomainIntersection::join_tensor_types(const Contract& other) {
  auto typed = std::make_shared<contract::TypedOperation>(*joint_.tensors);
  for (auto& [tensor, type] : typed->types) {
    const ScalarType second = other.tensors->types.find(tensor)->second;
    if (typed->is_output(tensor) && type != second) {
      remarks_.push_back(
          fmt::format("{} is {} in {} and {} in {}: the values are compared, not the bits", tensor,
                      name(type), one_.name, name(second), other.name));
    } else {
      join(tensor, type, second);
    }
  }
  if (computed_in(joint_) != computed_in(other)) {
    remarks_.push_back(fmt::format("{} computes in {}, {} in {}: each has a bound of its own",
                                   one_.name, computed_in(joint_), other.name, computed_in(other)));
  }
  joint_.tensors = std::move(typed);
}

bool DomainIntersection::contains(const properties::Case& problem) const {
  for (const Contract* contract : {&one_, &other_}) {
    if (!properties::ignored_field(*contract, problem).empty()) return false;
    if (properties::violated(*contract, normalized_for(*contract, problem))) return false;
  }
  return true;
}

properties::run::Operands DomainIntersection::operands(const properties::Case& problem) const {
  return properties::run::operands(joint_, problem);
}

properties::Case normalized_for(const Contract& contract, properties::Case problem) {
  problem.variant = contract.name;
  return properties::normalized(contract, std::move(problem));
}

}  // namespace warpcheck::workflows::diff

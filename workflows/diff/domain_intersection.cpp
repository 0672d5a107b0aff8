#include "workflows/diff/domain_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "workflows/diff/product_diff.hpp"
#include "workflows/diff/tensor_diff.hpp"

namespace warpcheck::workflows::diff {

using contract::Contract;

namespace {

using campaign::CaseField;
using campaign::CaseSchema;
using campaign::OperandShape;

std::string_view spelled(bool yes) { return yes ? "adds a bias" : "adds no bias"; }

/// Returns the reason why the results of two kernels cannot be compared, although their operations
/// have the same name; empty if they can.
std::string difference_of_definitions(const Contract& one, const Contract& other) {
  const bool bias = other.takes(contract::ArgumentWord::bias);
  if (one.takes(contract::ArgumentWord::bias) != bias) {
    return fmt::format("it {}, and {} {}", spelled(bias), one.name, spelled(!bias));
  }
  if (tensor::same_definition(one, other)) return {};
  return fmt::format("its operation {} has another definition", other.operation);
}

/// Returns true if the kernel of a contract takes the field of a case.
bool takes(const CaseSchema& schema, std::string_view field) {
  const auto number = schema.find(field);
  return number && schema.fields[*number].is_taken;
}

/// Returns true if both kernels take what a name of an expression stands for, and count a stride
/// along lines of the same direction.
bool is_shared(const CaseSchema& one, const CaseSchema& other, std::string_view name) {
  for (std::size_t i = 0; i < one.operands.size(); ++i) {
    const OperandShape& operand = one.operands[i];
    for (const campaign::OperandShape::Stride& stride : operand.strides) {
      if (stride.name != name || !stride.field) continue;
      return takes(other, one.fields[*stride.field].name) &&
             operand.layout == other.operands[i].layout;
    }
  }
  return !one.find(name) || takes(other, name);
}

/// Returns true if a case may vary an argument of the first kernel, because the second one takes
/// the same.
bool is_shared(const CaseSchema& one, const CaseSchema& other, const contract::Argument& argument) {
  const bool is_expression = argument.word == contract::ArgumentWord::expression;
  const auto names = is_expression ? argument.value.names() : std::set{argument.text};
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return is_shared(one, other, name); });
}

}  // namespace

DomainIntersection::DomainIntersection(const Contract& one, const Contract& other)
    : types_{one, other, one, true, {}} {
  if (one.operation != other.operation) {
    refuse_comparison(one, other,
                      fmt::format("its operation is {}, not {}", other.operation, one.operation));
  }
  const std::string difference = difference_of_definitions(one, other);
  if (!difference.empty()) refuse_comparison(one, other, difference);
  const CaseSchema schema = campaign::case_schema(one);
  const CaseSchema other_schema = campaign::case_schema(other);
  Contract& joint = types_.joint;
  for (contract::LaunchStep& step : joint.launches) {
    std::erase_if(step.arguments, [&](const contract::Argument& argument) {
      return !is_shared(schema, other_schema, argument);
    });
  }
  joint.requires_.insert(joint.requires_.end(), other.requires_.begin(), other.requires_.end());
  joint.reads_c_at_beta_zero = one.reads_c_at_beta_zero || other.reads_c_at_beta_zero;
  if (campaign::is_product(one)) {
    product::join_types(types_);
  } else {
    tensor::join_types(types_);
  }
  std::vector<std::string>& remarks = types_.remarks;
  if (!types_.same_values) {
    remarks.push_back("replayed alone, a case draws its operands in the variant's own types");
  }
  for (const Contract* contract : {&one, &other}) {
    if (contract->deterministic) continue;
    remarks.push_back(fmt::format(
        "{} adds in any order: its bits may differ from one run to the next", contract->name));
  }
}

bool DomainIntersection::contains(const campaign::Case& problem) const {
  for (const Contract* contract : {&types_.one, &types_.other}) {
    if (!campaign::ignored_field(*contract, problem).empty()) return false;
    if (campaign::violated(*contract, normalized_for(*contract, problem))) return false;
  }
  return true;
}

campaign::run::Operands DomainIntersection::operands(const campaign::Case& problem) const {
  return campaign::run::operands(types_.joint, problem);
}

campaign::Case normalized_for(const Contract& contract, campaign::Case problem) {
  problem.variant = contract.name;
  return campaign::normalized(contract, std::move(problem));
}

}  // namespace warpcheck::workflows::diff

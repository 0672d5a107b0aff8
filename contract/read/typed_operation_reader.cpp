#include "contract/read/typed_operation_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "contract/contract_words.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::string_view kAccumulate = "accumulate";
constexpr std::string_view kProductsOfTerms = "products";

std::set<std::string> names_in_arguments(const Contract& contract) {
  std::set<std::string> names;
  for (const LaunchStep& step : contract.launches) {
    for (const Argument& argument : step.arguments) {
      if (argument.word == ArgumentWord::expression) names.merge(argument.value.names());
    }
  }
  return names;
}

/// The names in launches and in conditions.
std::set<std::string> names_elsewhere(const Contract& contract) {
  std::set<std::string> names;
  const auto add = [&](const Expression& expression) {
    if (expression.root() != nullptr) names.merge(expression.names());
  };
  for (const LaunchStep& step : contract.launches) {
    for (const Expression& axis : step.grid) add(axis);
    for (const Expression& axis : step.block) add(axis);
    add(step.shared);
    if (step.when) add(*step.when);
  }
  for (const Expression& condition : contract.requires_) add(condition);
  for (const Workspace& workspace : contract.workspaces) {
    if (workspace.bytes) add(*workspace.bytes);
  }
  return names;
}

}  // namespace

std::shared_ptr<const TypedOperation> TypedOperationReader::read(const TableWithDefaults& table,
                                                                 const Operations& operations,
                                                                 ScalarType& accumulate) {
  const toml::node* const name = table.get("operation");
  if (name == nullptr || !name->is_string()) return nullptr;
  const auto found = std::find_if(
      operations.begin(), operations.end(),
      [&](const operation::Operation& known) { return known.name == name->as_string()->get(); });
  if (found == operations.end()) return nullptr;
  auto typed = std::make_shared<TypedOperation>();
  typed->operation = *found;
  typed->sizes = found->extents;
  typed->tensors = found->inputs;
  typed->tensors.insert(typed->tensors.end(), found->outputs.begin(), found->outputs.end());
  for (const operation::Tensor& tensor : typed->tensors) {
    if (is_updated(*found, tensor.name)) continue;  // the tensor is the output's memory
    typed->types[tensor.name] = tensor.integer ? ScalarType::s32 : ScalarType::f32;
    typed->buffers.push_back(tensor.name);
    if (tensor.shape.size() > 1) typed->sizes.push_back(stride_field(tensor.name));
    if (tensor.shape.size() > 2) typed->sizes.push_back(batch_stride_field(tensor.name));
  }
  for (const operation::Tensor& tensor : typed->tensors) {
    if (is_updated(*found, tensor.name)) continue;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
      typed->sizes.push_back(stride_field(tensor.name, i));
    }
  }
  typed->buffers.emplace_back(contract::name(ArgumentWord::workspace));
  if (!found->terms.empty()) typed->terms = Expression::parse(found->terms, found->where);
  const toml::node* const types = table.get("types");
  if (types != nullptr && types->is_table()) read_types(*types->as_table(), *typed, accumulate);
  for (const operation::Tensor& output : found->outputs) {
    if (!output.updates.empty()) typed->types[output.updates] = typed->types[output.name];
  }
  const bool has_products =
      types != nullptr && types->is_table() && types->as_table()->get(kProductsOfTerms);
  if (!has_products) typed->products = accumulate;
  return typed;
}

void TypedOperationReader::read_types(const toml::table& types, TypedOperation& typed,
                                      ScalarType& accumulate) {
  std::vector<std::string_view> known = {kAccumulate};
  for (const auto& [tensor, type] : typed.types) known.push_back(tensor);
  std::vector<std::string_view> intermediates;
  for (const operation::Statement& statement : typed.operation.statements) {
    if (!typed.types.contains(statement.tensor.name))
      intermediates.push_back(statement.tensor.name);
  }
  known.insert(known.end(), intermediates.begin(), intermediates.end());
  if (typed.terms) known.push_back(kProductsOfTerms);
  require_known_keys(types, known);
  const auto words = type_words();
  const auto read_one = [&](std::string_view name, ScalarType& type) {
    const toml::node* const value = types.get(name);
    if (value == nullptr) return;
    if (const auto text = word(*value, "type", "a type", words)) type = *scalar_type(*text);
  };
  for (auto& [tensor, type] : typed.types) read_one(tensor, type);
  read_one(kAccumulate, accumulate);
  if (typed.terms) read_one(kProductsOfTerms, typed.products);
  for (const std::string_view name : intermediates) {
    if (types.get(name) == nullptr) continue;
    ScalarType type = ScalarType::f32;
    read_one(name, type);
    if (is_integer(type)) {
      text_.error(
          *types.get(name),
          fmt::format("type '{}' of '{}', which is neither an input nor an output: expected "
                      "a floating-point type; write round() in the definition",
                      warpcheck::name(type), name));
    }
    typed.intermediate_types.emplace(name, type);
  }
}

/// The strides of a tensor have numbers if the kernel takes one that has.
void TypedOperationReader::require_one_kind_of_strides(const Contract& contract,
                                                       const operation::Tensor& tensor) {
  const std::set<std::string> arguments = names_in_arguments(contract);
  const std::set<std::string> others = names_elsewhere(contract);
  std::vector<std::string> numbered;
  std::vector<std::string> plain = {stride_field(tensor.name), batch_stride_field(tensor.name)};
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    numbered.push_back(stride_field(tensor.name, i));
  }
  const auto found = [](const std::vector<std::string>& names, const std::set<std::string>& among) {
    const auto one = std::find_if(names.begin(), names.end(),
                                  [&](const std::string& name) { return among.contains(name); });
    return one == names.end() ? std::string() : *one;
  };
  const std::string taken = found(numbered, arguments);
  const std::string numbered_elsewhere = found(numbered, others);
  std::string other = found(plain, arguments);
  if (other.empty()) other = found(plain, others);
  const Location& where = contract.launches.front().arguments_where;
  if (!taken.empty() && !other.empty()) {
    text_.error(where, fmt::format("'{}' and '{}' are strides of '{}': number all of them", other,
                                   taken, tensor.name));
  } else if (taken.empty() && !numbered_elsewhere.empty()) {
    text_.error(where,
                fmt::format("'{}' is used, but no argument is a numbered stride of '{}': write "
                            "'{}', or '{}' for the distance of matrices",
                            numbered_elsewhere, tensor.name, plain[0], plain[1]));
  }
}

void TypedOperationReader::require_arguments(const Contract& contract) {
  for (const operation::Tensor& tensor : contract.tensors->tensors) {
    const bool is_taken =
        std::any_of(contract.launches.begin(), contract.launches.end(), [&](const auto& step) {
          return std::any_of(step.arguments.begin(), step.arguments.end(),
                             [&](const Argument& one) { return one.text == tensor.name; });
        });
    require_one_kind_of_strides(contract, tensor);
    if (is_taken || operation::is_updated(contract.tensors->operation, tensor.name)) continue;
    text_.error(contract.launches.front().arguments_where,
                fmt::format("no argument is the tensor '{}'", tensor.name));
  }
}

std::string operation_with_key(std::string_view key, bool is_of_language) {
  constexpr std::array<std::string_view, 5> kOfGemm = {"layout", "tensor_map", "split_k",
                                                       "alpha_zero", "beta_zero"};
  if (!is_of_language) return key == "fast_math" ? "operations other than 'gemm'" : "";
  const bool is_of_gemm = std::find(kOfGemm.begin(), kOfGemm.end(), key) != kOfGemm.end();
  return is_of_gemm ? "the operation 'gemm'" : "";
}

}  // namespace warpcheck::contract

#include "contract/read/typed_operation_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "contract/contract_words.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::string_view kAccumulate = "accumulate";
constexpr std::string_view kProductsOfTerms = "products";

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
    if (unit_roundoff(type) == 0.0) {
      text_.error(
          *types.get(name),
          fmt::format("type '{}' of '{}', which is neither an input nor an output: expected "
                      "a floating-point type; write round() in the definition",
                      warpcheck::name(type), name));
    }
    typed.intermediate_types.emplace(name, type);
  }
}

void TypedOperationReader::require_arguments(const Contract& contract) {
  for (const operation::Tensor& tensor : contract.tensors->tensors) {
    const bool is_taken =
        std::any_of(contract.launches.begin(), contract.launches.end(), [&](const auto& step) {
          return std::any_of(step.arguments.begin(), step.arguments.end(),
                             [&](const Argument& one) { return one.text == tensor.name; });
        });
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

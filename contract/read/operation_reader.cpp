#include "contract/read/operation_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/closest_word.hpp"
#include "contract/contract_words.hpp"
#include "contract/expression/expression.hpp"

namespace warpcheck::contract {

using operation::Operation;
using operation::Tensor;

std::vector<Operation> OperationReader::read(const toml::table& document) {
  std::vector<Operation> operations;
  const toml::node* const tables = document.get("operation");
  if (tables == nullptr || !tables->is_array_of_tables()) return operations;
  for (const toml::node& table : *tables->as_array()) {
    Operation operation = read_operation(*table.as_table());
    const bool is_second =
        std::any_of(operations.begin(), operations.end(),
                    [&](const Operation& first) { return first.name == operation.name; });
    if (is_second && !operation.name.empty()) {
      text_.error(table, fmt::format("second operation with the name '{}'", operation.name));
    }
    operations.push_back(std::move(operation));
  }
  return operations;
}

Operation OperationReader::read_operation(const toml::table& table) {
  constexpr std::array<std::string_view, 8> kKeys = {"name",    "extents", "inputs",    "outputs",
                                                     "scalars", "define",  "reference", "terms"};
  constexpr std::size_t kRequired = 4;
  require_known_keys(table, kKeys);
  known_.clear();
  is_complete_ = true;
  for (const std::string_view key : std::span(kKeys).first(kRequired)) {
    if (table.contains(key)) continue;
    missing_key(table, key);
    is_complete_ = false;
  }
  Operation operation;
  operation.where = text_.at(table.source().begin);
  if (const toml::node* name = table.get("name")) read_name(*name, operation);
  if (const toml::node* extents = table.get("extents")) {
    operation.extents = names(*extents, "an array of names of extents");
  }
  if (const toml::node* scalars = table.get("scalars")) {
    operation.scalars = names(*scalars, "an array of names of scalars");
  }
  if (const toml::node* inputs = table.get("inputs")) {
    operation.inputs = tensors(*inputs, operation.extents, true);
  }
  if (const toml::node* outputs = table.get("outputs")) {
    operation.outputs = tensors(*outputs, operation.extents, false);
  }
  require_updated_inputs(table, operation);
  const toml::node* const definition = table.get("define");
  if (definition == nullptr) {
    read_reference(table, operation);
    return operation;
  }
  for (const std::string_view key : {"reference", "terms"}) {
    const toml::node* const other = table.get(key);
    if (other == nullptr) continue;
    text_.error(*other,
                fmt::format("`{}` describes a function of the host: expected no `define`", key));
  }
  const auto text = definition == nullptr ? std::nullopt : string(*definition, "a definition");
  if (!text || !is_complete_) return operation;
  try {
    operation::define(operation, *text, text_.inside(*definition));
  } catch (const InputError& error) {
    text_.errors_of(error);
  }
  return operation;
}

void OperationReader::require_updated_inputs(const toml::table& table, const Operation& operation) {
  for (const Tensor& output : operation.outputs) {
    if (output.updates.empty()) continue;
    const auto input = std::find_if(operation.inputs.begin(), operation.inputs.end(),
                                    [&](const Tensor& one) { return one.name == output.updates; });
    if (input != operation.inputs.end() && input->shape == output.shape) continue;
    text_.error(*table["outputs"].as_table()->get(output.name),
                fmt::format("output '{}' updates '{}': expected an input of the same shape",
                            output.name, output.updates));
  }
}

/// A function in the source, or in the program that uses the library, computes an operation that
/// has no definition. Its parameters have the order of the text.
void OperationReader::read_reference(const toml::table& table, Operation& operation) {
  for (auto [key, tensors] :
       {std::pair("inputs", &operation.inputs), std::pair("outputs", &operation.outputs)}) {
    const toml::table* const declared = table[key].as_table();
    if (declared == nullptr) continue;
    const auto place = [declared = declared](const Tensor& tensor) {
      const toml::source_position begin = declared->get(tensor.name)->source().begin;
      return std::pair(begin.line, begin.column);
    };
    std::sort(tensors->begin(), tensors->end(),
              [&](const Tensor& x, const Tensor& y) { return place(x) < place(y); });
  }
  for (const Tensor& input : operation.inputs) {
    if (!input.integer || input.range) continue;
    text_.error(*table["inputs"].as_table()->get(input.name),
                fmt::format("input '{}' of integers needs a `range`: without `define`, it is not "
                            "known what they are positions of",
                            input.name));
  }
  if (const toml::node* reference = table.get("reference")) {
    operation.where = text_.at(reference->source().begin);
    const auto name = string(*reference, "the name of a C++ function");
    if (name) operation.reference = *name;
  }
  const toml::node* const terms = table.get("terms");
  if (terms == nullptr) return;
  const auto text = terms->is_integer()
                        ? fmt::to_string(terms->value_or(std::int64_t{0}))
                        : string(*terms, "a number or an expression of extents").value_or("");
  const std::vector<std::string_view> names(operation.extents.begin(), operation.extents.end());
  const Vocabulary vocabulary{names, {}};
  try {
    (void)Expression::parse(text, text_.inside(*terms), &vocabulary);
    operation.terms = text;
  } catch (const InputError& error) {
    text_.errors_of(error);
  }
}

void OperationReader::read_name(const toml::node& node, Operation& operation) {
  const auto name = string(node, "a name");
  if (!name) return;
  if (!is_variant_name(*name)) {
    text_.error(node, fmt::format("name '{}': expected letters, digits, '_', '-' and '.'", *name));
  } else if (std::find(kOperations.begin(), kOperations.end(), *name) != kOperations.end()) {
    text_.error(node, fmt::format("'{}' is a built-in operation: expected another name", *name));
  }
  operation.name = *name;
}

std::vector<std::string> OperationReader::names(const toml::node& node, std::string_view expected) {
  std::vector<std::string> found;
  const auto* const array = node.as_array();
  if (array == nullptr) {
    is_complete_ = false;
    wrong_type(node, expected);
    return found;
  }
  for (const toml::node& element : *array) {
    auto name = string(element, "a name");
    if (!name) {
      is_complete_ = false;
      continue;
    }
    require_new(element, *name);
    found.push_back(std::move(*name));
  }
  return found;
}

std::vector<Tensor> OperationReader::tensors(const toml::node& node,
                                             const std::vector<std::string>& extents,
                                             bool are_inputs) {
  std::vector<Tensor> found;
  const auto* const table = node.as_table();
  if (table == nullptr || table->empty()) {
    is_complete_ = false;
    wrong_type(node, "a table of tensors, such as { x = { shape = [\"rows\"] } },");
    return found;
  }
  for (const auto& [key, value] : *table) {
    require_new(value, key.str());
    found.push_back(tensor(key.str(), value, extents, are_inputs));
  }
  return found;
}

Tensor OperationReader::tensor(std::string_view name, const toml::node& node,
                               const std::vector<std::string>& extents, bool is_input) {
  constexpr std::array<std::string_view, 7> kKeys = {"shape",  "integer", "finite",  "nan",
                                                     "sorted", "range",   "distinct"};
  Tensor made;
  made.name = name;
  const auto* const table = node.as_table();
  const auto* const shape = table == nullptr ? nullptr : table->get_as<toml::array>("shape");
  if (shape == nullptr) {
    is_complete_ = false;
    wrong_type(node, "a table with an array, { shape = [\"rows\"] },");
    return made;
  }
  constexpr std::array<std::string_view, 3> kOfOutput = {"shape", "integer", "updates"};
  require_known_keys(*table, is_input ? std::span<const std::string_view>(kKeys) : kOfOutput);
  const std::vector<std::string_view> known(extents.begin(), extents.end());
  for (const toml::node& element : *shape) {
    const auto extent = dimension(element, known);
    is_complete_ = is_complete_ && extent;
    made.shape.push_back(extent.value_or(""));
  }
  if (const toml::node* integer = table->get("integer")) read_truth(*integer, made.integer);
  if (is_input) read_input(*table, extents, made);
  const toml::node* const updates = is_input ? nullptr : table->get("updates");
  if (updates != nullptr) made.updates = string(*updates, "the name of an input").value_or("");
  return made;
}

std::optional<std::string> OperationReader::dimension(
    const toml::node& node, const std::vector<std::string_view>& extents) {
  if (node.is_integer()) {
    const std::int64_t number = node.value_or(std::int64_t{0});
    if (number >= 1) return std::to_string(number);
    text_.error(node, fmt::format("{} is no extent: expected an integer of at least 1", number));
    return std::nullopt;
  }
  const auto text = string(node, "an extent");
  if (!text) return std::nullopt;
  const auto parsed = known_dimension(node, *text, extents);
  if (!parsed) return std::nullopt;
  return operation::print(*parsed);
}

std::optional<operation::Dimension> OperationReader::known_dimension(
    const toml::node& node, const std::string& text, const std::vector<std::string_view>& extents) {
  const auto parsed = operation::parse_dimension(text);
  if (!parsed || parsed->is_constant()) {
    text_.error(node,
                fmt::format("'{}': expected an extent, or a number that follows from extents, "
                            "such as \"2 * height + 1\" or \"ceil_div(n, 256)\"",
                            text));
    return std::nullopt;
  }
  for (const std::string& name : operation::extents_of(*parsed)) {
    if (std::find(extents.begin(), extents.end(), name) != extents.end()) continue;
    text_.error(node, unknown("extent", name, extents));
    return std::nullopt;
  }
  return parsed;
}

void OperationReader::read_input(const toml::table& table, const std::vector<std::string>& extents,
                                 Tensor& input) {
  if (const toml::node* finite = table.get("finite")) read_truth(*finite, input.finite);
  if (const toml::node* nan = table.get("nan")) {
    read_truth(*nan, input.nan);
    if (input.nan && input.finite) text_.error(*nan, "a finite input holds no NaN");
  }
  if (const toml::node* sorted = table.get("sorted")) read_truth(*sorted, input.sorted);
  if (const toml::node* range = table.get("range")) read_range(*range, extents, input);
  if (const toml::node* distinct = table.get("distinct")) read_distinct(*distinct, input);
}

void OperationReader::read_distinct(const toml::node& node, Tensor& input) {
  constexpr std::string_view kRows = "rows";
  if (node.is_string() && node.value_or(std::string()) == kRows) {
    input.distinct = operation::Distinct::in_rows;
  } else if (node.is_boolean()) {
    input.distinct = node.value_or(false) ? operation::Distinct::all : operation::Distinct::none;
  } else {
    return wrong_type(node, "true, false or \"rows\"");
  }
  if (input.distinct == operation::Distinct::none || (input.integer && input.range)) return;
  text_.error(node, fmt::format("the elements of '{}' are distinct: expected `integer = true` and "
                                "a `range`, such as [0, \"columns - 1\"]",
                                input.name));
}

void OperationReader::read_range(const toml::node& node, const std::vector<std::string>& extents,
                                 Tensor& input) {
  const auto* const array = node.as_array();
  if (array == nullptr || array->size() != 2) {
    return wrong_type(node, "an array of two limits, such as [0, \"columns\"],");
  }
  const auto low = limit(*array->get(0), extents);
  const auto high = limit(*array->get(1), extents);
  if (!low || !high) return;
  if (low->extent == high->extent && low->number > high->number) {
    return text_.error(
        node, fmt::format("no number is at least {} and at most {}", low->number, high->number));
  }
  input.range = {*low, *high};
}

std::optional<operation::Limit> OperationReader::limit(const toml::node& node,
                                                       const std::vector<std::string>& extents) {
  if (node.is_number()) return operation::Limit{node.value_or(0.0), {}};
  const auto text = string(node, "a number or an extent, such as \"columns - 1\",");
  if (!text) return std::nullopt;
  auto dimension = known_dimension(node, *text, {extents.begin(), extents.end()});
  if (!dimension) return std::nullopt;
  const auto number = static_cast<double>(std::exchange(dimension->constant, 0));
  return operation::Limit{number, print(*dimension)};
}

void OperationReader::require_new(const toml::node& node, std::string_view name) {
  if (!operation::is_name(name)) {
    is_complete_ = false;
    text_.error(node, fmt::format("name '{}': expected letters, digits and '_', and no word of the "
                                  "language",
                                  name));
  } else if (std::find(known_.begin(), known_.end(), name) != known_.end()) {
    is_complete_ = false;
    text_.error(node, fmt::format("second '{}' in this operation", name));
  }
  known_.emplace_back(name);
}

}  // namespace warpcheck::contract

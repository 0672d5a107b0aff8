#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "campaign/case/operand.hpp"
#include "campaign/case/product.hpp"

namespace warpcheck::campaign {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Expression;

/// C and D share the fields of their strides.
bool is_stride_taken(const Contract& contract, std::string_view field) {
  return std::any_of(kOperands.begin(), kOperands.end(), [&](Operand operand) {
    const auto& strides = fields(operand).strides;
    return std::any_of(strides.begin(), strides.end(), [&](const OperandFields::Stride& stride) {
      return stride.field.name == field && contract.takes(stride.word);
    });
  });
}

bool is_taken(const Contract& contract, const LineField& field) {
  if (is_stride(field.kind)) return is_stride_taken(contract, field.name);
  for (const ArgumentWord word : {ArgumentWord::batch, ArgumentWord::ta, ArgumentWord::tb,
                                  ArgumentWord::alpha, ArgumentWord::beta}) {
    if (contract::name(word) == field.name) return contract.takes(word);
  }
  return field.name != "off_bias" || contract.takes(ArgumentWord::bias);
}

/// Factors have few bits if the sums are to be exact.
void set_usual_values(const Contract& contract, CaseField& factor) {
  const double usual = factor.default_number;
  factor.exact_values = {usual, usual, usual, usual, usual, 0.0, 1.0, 1.0, -1.0, 2.0, -3.0};
  factor.rounded_values = factor.exact_values;
  if (contract.accumulate == ScalarType::s32) return;
  factor.exact_values.insert(factor.exact_values.end(), {0.5, 1.5});
  factor.rounded_values.erase(factor.rounded_values.end() - 2, factor.rounded_values.end());
  factor.rounded_values.insert(factor.rounded_values.end(), {0.7, -1.3, 3.0});
}

/// Returns each recipe as often as its weight demands.
std::vector<Recipe> repeated(std::initializer_list<std::pair<std::size_t, Recipe>> weighted) {
  std::vector<Recipe> all;
  for (const auto& [weight, recipe] : weighted) all.insert(all.end(), weight, recipe);
  return all;
}

/// Masks, which make rows of D NaN, and large numbers show no more of a product than special and
/// wide data. Atomic additions flush subnormal numbers.
void add_recipes(const Contract& contract, CaseSchema& schema) {
  schema.structures = {Recipe::zeros, Recipe::equal, Recipe::negative, Recipe::dominant,
                       Recipe::ordered};
  schema.recipes = {Recipe::lattice, Recipe::cancellation, Recipe::spikes, Recipe::onehot};
  schema.usual_recipes = repeated(
      {{2, Recipe::lattice}, {1, Recipe::cancellation}, {1, Recipe::spikes}, {1, Recipe::onehot}});
  if (is_integer(contract.type_a)) return;
  schema.recipes.insert(schema.recipes.end(), {Recipe::normal, Recipe::wide, Recipe::special});
  schema.usual_recipes = repeated({{7, Recipe::lattice},
                                   {4, Recipe::normal},
                                   {2, Recipe::wide},
                                   {2, Recipe::cancellation},
                                   {2, Recipe::spikes},
                                   {2, Recipe::onehot},
                                   {1, Recipe::special}});
}

/// The length of a line, or the number of lines. A transposition exchanges them.
std::string dimension(const Contract& contract, const OperandFields& operand, bool along_line) {
  const bool by_row = contract.*operand.layout == contract::Layout::row;
  const std::string_view usual = along_line == by_row ? operand.columns : operand.rows;
  const std::string_view exchanged = along_line == by_row ? operand.rows : operand.columns;
  if (!operand.transposition || !contract.takes(*operand.transposition)) return std::string(usual);
  const std::string_view word = contract::name(*operand.transposition);
  return fmt::format("(1 - {0}) * {1} + {0} * {2}", word, usual, exchanged);
}

OperandShape shape_of(const Contract& contract, const CaseSchema& schema,
                      const OperandFields& operand) {
  const auto expression = [&](const std::string& text) {
    return Expression::parse(text, contract.where);
  };
  OperandShape shape;
  shape.name = operand.name;
  shape.argument = contract::name(operand.address);
  shape.type = contract.*operand.type;
  shape.offset_field = schema.find(operand.offset);
  if (operand.layout == nullptr) {
    shape.dimensions = {expression("n")};
    shape.shape = {"n"};
    return shape;
  }
  if (contract.takes(ArgumentWord::batch)) {
    shape.dimensions.push_back(expression("batch"));
    shape.shape.push_back("batch");
  }
  shape.shape.insert(shape.shape.end(), {std::string(operand.rows), std::string(operand.columns)});
  shape.dimensions.push_back(expression(dimension(contract, operand, false)));
  shape.dimensions.push_back(expression(dimension(contract, operand, true)));
  shape.layout = contract.*operand.layout == contract::Layout::row ? "row" : "col";
  std::size_t within = 1;
  for (const OperandFields::Stride& stride : operand.strides) {
    const auto field = contract.takes(stride.word) ? schema.find(stride.field.name) : std::nullopt;
    shape.strides.push_back({std::string(contract::name(stride.word)), within++, field});
  }
  return shape;
}

/// Returns the fields as searches break ties.
std::vector<LineField> in_order_of_kinds() {
  std::vector<LineField> fields(kProductFields.begin(), kProductFields.end());
  std::stable_sort(fields.begin(), fields.end(), [](const LineField& one, const LineField& other) {
    return one.kind < other.kind;
  });
  return fields;
}

}  // namespace

std::vector<CaseField> fields_of_product(const Contract& contract) {
  static const std::vector<LineField> kFields = in_order_of_kinds();
  std::vector<CaseField> all;
  all.reserve(kFields.size());
  for (const LineField& field : kFields) {
    CaseField& made = all.emplace_back(field, is_taken(contract, field));
    made.is_reduced = field.name == "k";
    made.has_zero = made.is_reduced || field.kind == FieldKind::factor;
  }
  return all;
}

CaseSchema schema_of_product(const Contract& contract) {
  CaseSchema schema;
  schema.fields = fields_of_product(contract);
  for (CaseField& field : schema.fields) {
    if (field.kind == CaseField::Kind::factor) set_usual_values(contract, field);
  }
  const Operand output = output_of(contract);
  for (const Operand operand : kOperands) {
    schema.operands.push_back(shape_of(contract, schema, fields(operand)));
    schema.operands.back().is_taken = contract.takes(fields(operand).address);
    schema.operands.back().is_output = operand == output;
  }
  const auto expression = [&](const std::string& text) {
    return Expression::parse(text, contract.where);
  };
  schema.elements =
      expression("batch * (max(m, 1) * max(n, 1) + max(k, 1) * (max(m, 1) + max(n, 1)))");
  add_recipes(contract, schema);
  schema.name_of_outputs = "D";
  schema.counted_operands = "A, B and C";
  schema.has_thread_axes = true;
  schema.work = expression("batch * max(m, 1) * max(n, 1) * max(k, 1)");
  schema.works_in_tiles = true;
  schema.default_workspace_bytes = expression(
      fmt::format("m * n * batch * {}",
                  contract.split_k * static_cast<std::int64_t>(size_of(contract.accumulate))));
  return schema;
}

}  // namespace warpcheck::campaign

#include "campaign/matrices/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "campaign/case/operand.hpp"

namespace warpcheck::campaign {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Expression;
using Kind = CaseField::Kind;

/// C and D share the fields of their strides.
bool is_stride_taken(const Contract& contract, StrideField OperandFields::*stride,
                     Operand operand) {
  return std::any_of(kMatrices.begin(), kMatrices.end(), [&](Operand matrix) {
    const StrideField& one = fields(matrix).*stride;
    return one.field == (fields(operand).*stride).field && one.taken_by(contract);
  });
}

void add_fields(const Contract& contract, CaseSchema& schema) {
  const auto takes = [&](ArgumentWord word) { return contract.takes(word); };
  std::vector<CaseField>& all = schema.fields;
  all.emplace_back("m", Kind::extent, true, &Case::m);
  all.emplace_back("n", Kind::extent, true, &Case::n);
  all.emplace_back("k", Kind::extent, true, &Case::k);
  all.back().is_reduced = true;
  all.back().has_zero = true;
  for (const auto& [stride, kind] :
       {std::pair(&OperandFields::leading_dimension, Kind::leading_dimension),
        std::pair(&OperandFields::batch_stride, Kind::batch_stride)}) {
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
      const StrideField& field = fields(operand).*stride;
      all.emplace_back(std::string(field.name), kind, is_stride_taken(contract, stride, operand),
                       field.field);
    }
  }
  all.emplace_back("batch", Kind::batch, takes(ArgumentWord::batch), &Case::batch);
  all.emplace_back("off_a", Kind::offset, true, &Case::off_a);
  all.emplace_back("off_b", Kind::offset, true, &Case::off_b);
  all.emplace_back("off_c", Kind::offset, true, &Case::off_c);
  all.emplace_back("off_bias", Kind::offset, takes(ArgumentWord::bias), &Case::off_bias);
  all.emplace_back("ta", Kind::transposition, takes(ArgumentWord::ta), &Case::ta);
  all.emplace_back("tb", Kind::transposition, takes(ArgumentWord::tb), &Case::tb);
  all.emplace_back("alpha", Kind::factor, takes(ArgumentWord::alpha), &Case::alpha);
  all.emplace_back("beta", Kind::factor, takes(ArgumentWord::beta), &Case::beta);
  for (CaseField& field : all) field.has_zero = field.has_zero || field.kind == Kind::factor;
}

std::string extent_name(std::int64_t Case::*extent) {
  return extent == &Case::m ? "m" : extent == &Case::n ? "n" : "k";
}

/// The length of a line, or the number of lines. A transposition exchanges them.
std::string dimension(const Contract& contract, const OperandFields& operand, bool along_line) {
  const bool by_row = contract.*operand.layout == contract::Layout::row;
  const std::string usual = extent_name(along_line == by_row ? operand.columns : operand.rows);
  const std::string exchanged = extent_name(along_line == by_row ? operand.rows : operand.columns);
  if (!operand.transpose_word || !contract.takes(*operand.transpose_word)) return usual;
  const std::string_view word = contract::name(*operand.transpose_word);
  return fmt::format("(1 - {0}) * {1} + {0} * {2}", word, usual, exchanged);
}

OperandShape shape_of(const Contract& contract, const CaseSchema& schema, Operand matrix) {
  const OperandFields& operand = fields(matrix);
  const auto expression = [&](const std::string& text) {
    return Expression::parse(text, contract.where);
  };
  OperandShape shape;
  shape.name = operand.name;
  shape.argument = contract::name(operand.address);
  shape.type = contract.*operand.type;
  shape.offset_field =
      schema.find(fmt::format("off_{}", matrix == Operand::d ? "c" : shape.argument));
  if (operand.layout == nullptr) {
    shape.dimensions = {expression("n")};
    shape.shape = {"n"};
    return shape;
  }
  if (contract.takes(ArgumentWord::batch)) {
    shape.dimensions.push_back(expression("batch"));
    shape.shape.push_back("batch");
  }
  shape.shape.insert(shape.shape.end(), {extent_name(operand.rows), extent_name(operand.columns)});
  shape.dimensions.push_back(expression(dimension(contract, operand, false)));
  shape.dimensions.push_back(expression(dimension(contract, operand, true)));
  shape.leading_dimension = contract::name(operand.leading_dimension.word);
  shape.batch_stride = contract::name(operand.batch_stride.word);
  if (operand.leading_dimension.taken_by(contract)) {
    shape.leading_field = schema.find(operand.leading_dimension.name);
  }
  if (operand.batch_stride.taken_by(contract)) {
    shape.batch_field = schema.find(operand.batch_stride.name);
  }
  return shape;
}

}  // namespace

CaseSchema schema_of_product(const Contract& contract) {
  CaseSchema schema;
  add_fields(contract, schema);
  for (const Operand operand : kOperands) {
    const bool is_optional = operand == Operand::d || operand == Operand::bias;
    schema.operands.push_back(shape_of(contract, schema, operand));
    schema.operands.back().is_taken = !is_optional || contract.takes(fields(operand).address);
  }
  const auto expression = [&](const std::string& text) {
    return Expression::parse(text, contract.where);
  };
  schema.elements =
      expression("batch * (max(m, 1) * max(n, 1) + max(k, 1) * (max(m, 1) + max(n, 1)))");
  schema.recipes = {Recipe::lattice, Recipe::cancellation, Recipe::spikes, Recipe::onehot};
  if (unit_roundoff(contract.type_a) != 0.0) {
    schema.recipes.insert(schema.recipes.end(), {Recipe::normal, Recipe::wide, Recipe::special});
  }
  schema.counted_operands = "A, B and C";
  schema.work = expression("batch * max(m, 1) * max(n, 1) * max(k, 1)");
  schema.default_workspace_bytes = expression(
      fmt::format("m * n * batch * {}",
                  contract.split_k * static_cast<std::int64_t>(size_of(contract.accumulate))));
  return schema;
}

}  // namespace warpcheck::campaign

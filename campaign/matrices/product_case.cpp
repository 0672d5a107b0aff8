#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/case/errors.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/case/product.hpp"

namespace warpcheck::campaign::product {
namespace {

using contract::Contract;

/// The limit also holds for empty products, which take no memory: each is generated and compared.
constexpr std::int64_t kMostProducts = std::int64_t{1} << 20;

std::optional<std::int64_t> whole(double value) {
  if (!(std::fabs(value) <= 0x1p53) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

OperandLayout::Stride stride_of(const Contract& contract, const OperandFields::Stride& stride,
                                std::size_t axis) {
  return {CaseField(stride.field, contract.takes(stride.word)),
          std::string(contract::name(stride.word)), axis};
}

/// Returns true if the lines of a matrix are its rows: a transposition exchanges them.
bool is_by_rows(const Contract& contract, const Case& problem, const OperandFields& matrix) {
  const bool is_transposed =
      matrix.transposition && problem.number(contract::name(*matrix.transposition)) != 0.0;
  return (contract.*matrix.layout == contract::Layout::row) != is_transposed;
}

OperandLayout operand_layout(const Contract& contract, const Case& problem, Operand operand) {
  const OperandFields& of = fields(operand);
  OperandLayout made;
  made.argument = contract::name(of.address);
  made.size_field = of.size_field;
  const bool is_optional = operand == Operand::bias || operand == Operand::d;
  made.is_taken = !is_optional || contract.takes(of.address);
  made.is_output = operand == output_of(contract);
  Placement& place = made.place;
  place.name = of.name;
  place.type = contract.*of.type;
  place.offset = problem.whole(of.offset);
  if (operand == Operand::bias) {
    place.rows = 1;
    place.columns = problem.whole("n");
    place.axes = {{place.columns, 1}};
    place.nest = {0};
    place.vector = true;
    return made;
  }
  place.rows = problem.whole(of.rows);
  place.columns = problem.whole(of.columns);
  place.batch = problem.whole("batch");
  place.batched = contract.takes(contract::ArgumentWord::batch);
  place.axes = {{place.batch}, {place.rows}, {place.columns}};
  place.nest = is_by_rows(contract, problem, of) ? std::vector<std::size_t>{0, 1, 2}
                                                 : std::vector<std::size_t>{0, 2, 1};
  made.strides = {stride_of(contract, of.strides[0], place.nest[1]),
                  stride_of(contract, of.strides[1], 0)};
  set_strides(problem, 0, made);
  return made;
}

bool is_about(const OperandFields& operand, std::string_view name) {
  if (name == contract::name(operand.address)) return true;
  return operand.layout != nullptr &&
         std::any_of(operand.strides.begin(), operand.strides.end(), [&](const auto& stride) {
           return name == stride.field.name || name == contract::name(stride.word);
         });
}

}  // namespace

void check_batch(const Case& problem) {
  const std::int64_t batch = problem.whole("batch");
  if (batch < 1) throw case_error(problem, "batch", "batch=0: expected 1 or more");
  if (batch > kMostProducts) {
    throw case_error(problem, "batch",
                     fmt::format("batch={}: the limit is {}", batch, kMostProducts));
  }
}

std::optional<std::int64_t> number_of(const Case& problem, std::string_view name) {
  const auto* const field = std::find_if(kProductFields.begin(), kProductFields.end(),
                                         [&](const LineField& one) { return one.name == name; });
  if (field == kProductFields.end() || is_stride(field->kind) || field->kind == FieldKind::offset) {
    return std::nullopt;
  }
  const double number = problem.value(name).value_or(field->default_number);
  return field->kind == FieldKind::factor ? whole(number) : whole_number(number);
}

std::vector<OperandLayout> operand_layouts(const Contract& contract, const Case& problem,
                                           std::string_view name) {
  std::vector<OperandLayout> all;
  all.reserve(kOperands.size());
  for (const Operand operand : {Operand::a, Operand::b, Operand::bias, Operand::c, Operand::d}) {
    if (name.empty() || is_about(fields(operand), name)) {
      all.push_back(operand_layout(contract, problem, operand));
    }
  }
  return all;
}

}  // namespace warpcheck::campaign::product

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

OperandLayout::Stride stride_of(const Contract& contract, const StrideField& stride,
                                std::size_t axis) {
  const bool is_leading = stride.kind == StrideField::Kind::leading_dimension;
  return {CaseField(std::string(stride.name),
                    is_leading ? CaseField::Kind::leading_dimension : CaseField::Kind::batch_stride,
                    stride.taken_by(contract), stride.field),
          std::string(contract::name(stride.word)), axis};
}

OperandLayout operand_layout(const Contract& contract, const Case& problem, Operand operand) {
  const OperandFields& of = fields(operand);
  OperandLayout made;
  made.argument = contract::name(of.address);
  made.size_field = of.size_field;
  const bool is_optional = operand == Operand::bias || operand == Operand::d;
  made.is_taken = !is_optional || contract.takes(of.address);
  Placement& place = made.place;
  place.name = of.name;
  place.type = contract.*of.type;
  place.offset = problem.*of.offset;
  if (operand == Operand::bias) {
    place.rows = 1;
    place.columns = problem.n;
    place.axes = {{problem.n, 1}};
    place.nest = {0};
    place.vector = true;
    return made;
  }
  place.rows = problem.*of.rows;
  place.columns = problem.*of.columns;
  place.batch = problem.batch;
  place.batched = contract.takes(contract::ArgumentWord::batch);
  place.axes = {{place.batch}, {place.rows}, {place.columns}};
  const bool by_rows = layout_of(contract, problem, operand) == contract::Layout::row;
  place.nest = by_rows ? std::vector<std::size_t>{0, 1, 2} : std::vector<std::size_t>{0, 2, 1};
  made.strides = {stride_of(contract, of.leading_dimension, place.nest[1]),
                  stride_of(contract, of.batch_stride, 0)};
  set_strides(problem, 0, made);
  return made;
}

bool is_about(const OperandFields& operand, std::string_view name) {
  if (name == contract::name(operand.address)) return true;
  return operand.layout != nullptr &&
         (name == operand.leading_dimension.name || name == operand.batch_stride.name ||
          name == contract::name(operand.leading_dimension.word) ||
          name == contract::name(operand.batch_stride.word));
}

}  // namespace

void check_batch(const Case& problem) {
  if (problem.batch < 1) throw case_error(problem, "batch", "batch=0: expected 1 or more");
  if (problem.batch > kMostProducts) {
    throw case_error(problem, "batch",
                     fmt::format("batch={}: the limit is {}", problem.batch, kMostProducts));
  }
}

std::optional<std::int64_t> number_of(const Case& problem, std::string_view name) {
  if (name == "m") return problem.m;
  if (name == "n") return problem.n;
  if (name == "k") return problem.k;
  if (name == "alpha") return whole(problem.alpha);
  if (name == "beta") return whole(problem.beta);
  if (name == "ta") return problem.ta ? 1 : 0;
  if (name == "tb") return problem.tb ? 1 : 0;
  if (name == "batch") return problem.batch;
  return std::nullopt;
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

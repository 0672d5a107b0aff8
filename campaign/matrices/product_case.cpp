#include "campaign/matrices/product_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/case/errors.hpp"
#include "campaign/case/operand.hpp"

namespace warpcheck::campaign::product {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Layout;

/// The limit also holds for empty products, which take no memory: each is generated and compared.
constexpr std::int64_t kMostProducts = std::int64_t{1} << 20;

/// Throws if lines or matrices overlap.
void check_strides(const Case& problem, const Placement& matrix, const OperandFields& operand) {
  if (matrix.leading < matrix.line_length()) {
    const std::string_view field = operand.leading_dimension.name;
    throw case_error(problem, field,
                     fmt::format("{}={} is less than the {} elements of a {} of {}", field,
                                 matrix.leading, matrix.line_length(),
                                 matrix.layout == Layout::row ? "row" : "column", matrix.name));
  }
  if (matrix.batch > 1 && matrix.lines() > 0 && matrix.stride / matrix.lines() < matrix.leading) {
    const std::string_view field = operand.batch_stride.name;
    throw case_error(problem, field,
                     fmt::format("{}={} is less than the {} lines of {} elements of {}", field,
                                 matrix.stride, matrix.lines(), matrix.leading, matrix.name));
  }
}

/// Throws if the matrix is too large.
void check_size(const Case& problem, Placement& matrix, const OperandFields& operand,
                std::size_t limit_bytes) {
  if (pack_if_larger(matrix, limit_bytes)) return;
  const std::optional<std::int64_t> bytes = span_bytes(matrix);
  throw case_error(
      problem, operand.size_field,
      fmt::format("{} of {} x {} {} elements with leading dimension {} takes {} bytes: the "
                  "limit is {}",
                  matrix.name, matrix.rows, matrix.columns, name(matrix.type), matrix.leading,
                  bytes ? fmt::to_string(*bytes) : "more than 2^63", limit_bytes));
}

Placement place(const Contract& contract, const Case& problem, Operand operand,
                std::size_t limit_bytes) {
  const OperandFields& of = fields(operand);
  Placement matrix{std::string(of.name),
                   problem.*of.rows,
                   problem.*of.columns,
                   layout_of(contract, problem, operand),
                   leading_dimension(contract, problem, operand),
                   contract.*of.type,
                   problem.*of.offset,
                   problem.batch,
                   batch_stride(contract, problem, operand),
                   contract.takes(ArgumentWord::batch)};
  check_strides(problem, matrix, of);
  check_size(problem, matrix, of, limit_bytes);
  return matrix;
}

Placement place_bias(const Contract& contract, const Case& problem) {
  const OperandFields& of = fields(Operand::bias);
  Placement bias{std::string(of.name),
                 1,
                 problem.n,
                 Layout::row,
                 std::max<std::int64_t>(1, problem.n),
                 contract.*of.type,
                 problem.*of.offset};
  bias.vector = true;
  return bias;
}

/// Resets the fields of one kind that no matrix uses, or that equal the tight value. C and D share
/// a field.
void reset_unused(const Contract& contract, Case& problem, StrideField OperandFields::*stride) {
  for (const Operand matrix : {Operand::a, Operand::b, Operand::c}) {
    std::int64_t& value = problem.*(fields(matrix).*stride).field;
    const bool matters = std::any_of(kMatrices.begin(), kMatrices.end(), [&](Operand one) {
      const StrideField& of_one = fields(one).*stride;
      return of_one.field == (fields(matrix).*stride).field && of_one.taken_by(contract) &&
             value != of_one.tight(contract, problem);
    });
    if (!matters) value = 0;
  }
}

std::optional<std::int64_t> whole(double value) {
  if (!(std::fabs(value) <= 0x1p53) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

/// Returns the effective leading dimension or batch stride that has the name; empty if none has.
std::optional<std::int64_t> stride_named(const contract::Contract& contract, const Case& problem,
                                         std::string_view name) {
  for (const Operand matrix : kMatrices) {
    const OperandFields& operand = fields(matrix);
    for (const StrideField& stride : {operand.leading_dimension, operand.batch_stride}) {
      if (name == contract::name(stride.word)) return stride.effective(contract, problem);
    }
  }
  return std::nullopt;
}

}  // namespace

Case normalized(const Contract& contract, Case problem) {
  if (!contract.takes(ArgumentWord::ta)) problem.ta = false;
  if (!contract.takes(ArgumentWord::tb)) problem.tb = false;
  if (!contract.takes(ArgumentWord::batch)) problem.batch = 1;
  reset_unused(contract, problem, &OperandFields::leading_dimension);
  reset_unused(contract, problem, &OperandFields::batch_stride);
  if (!contract.takes(ArgumentWord::bias)) problem.off_bias = 0;
  if (!contract.takes(ArgumentWord::alpha)) problem.alpha = 1.0;
  if (!contract.takes(ArgumentWord::beta)) problem.beta = 0.0;
  if (problem.property == "matches-reference") problem.property.clear();
  return problem;
}

std::string ignored_field(const Contract& contract, const Case& problem) {
  const Case kept = product::normalized(contract, problem);
  if (kept.ta != problem.ta) return "ta";
  if (kept.tb != problem.tb) return "tb";
  if (kept.batch != problem.batch) return "batch";
  for (const StrideField& stride : stride_fields(contract)) {
    const std::int64_t value = problem.*stride.field;
    if (kept.*stride.field != value && value != stride.effective(contract, kept)) {
      return std::string(stride.name);
    }
  }
  if (kept.off_bias != problem.off_bias) return "off_bias";
  if (kept.alpha != problem.alpha) return "alpha";
  return kept.beta != problem.beta ? "beta" : "";
}

Layouts lay_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  if (problem.batch < 1) throw case_error(problem, "batch", "batch=0: expected 1 or more");
  Layouts layouts{place(contract, problem, Operand::a, limit_bytes),
                  place(contract, problem, Operand::b, limit_bytes),
                  place(contract, problem, Operand::c, limit_bytes),
                  {},
                  {}};
  if (problem.batch > kMostProducts) {
    throw case_error(problem, "batch",
                     fmt::format("batch={}: the limit is {}", problem.batch, kMostProducts));
  }
  if (contract.takes(ArgumentWord::d)) {
    layouts.d = place(contract, problem, Operand::d, limit_bytes);
  }
  if (contract.takes(ArgumentWord::bias)) layouts.bias = place_bias(contract, problem);
  return layouts;
}

std::optional<std::int64_t> value_of(const Contract& contract, const Case& problem,
                                     std::string_view name) {
  if (name == "m") return problem.m;
  if (name == "n") return problem.n;
  if (name == "k") return problem.k;
  if (name == "alpha") return whole(problem.alpha);
  if (name == "beta") return whole(problem.beta);
  if (name == "ta") return problem.ta ? 1 : 0;
  if (name == "tb") return problem.tb ? 1 : 0;
  if (name == "batch") return problem.batch;
  return stride_named(contract, problem, name);
}

std::optional<std::int64_t> address_of(const Contract& contract, const Case& problem,
                                       std::string_view buffer) {
  for (const Operand operand : kOperands) {
    const OperandFields& of = fields(operand);
    if (buffer != contract::name(of.address)) continue;
    const auto element = static_cast<std::int64_t>(size_of(contract.*of.type));
    return problem.*of.offset % 256 * element % 256;
  }
  if (buffer == contract::name(contract::ArgumentWord::workspace)) return 0;
  return std::nullopt;
}

std::int64_t tight_value(const Contract& contract, const Case& problem, std::string_view field) {
  for (const StrideField& stride : stride_fields(contract)) {
    if (field == stride.name) return stride.tight(contract, problem);
  }
  return 0;
}

void reset_short_strides(const Contract& contract, Case& problem) {
  for (const StrideField& stride : stride_fields(contract)) {
    std::int64_t& field = problem.*stride.field;
    if (field < stride.tight(contract, problem)) field = 0;
  }
}

}  // namespace warpcheck::campaign::product

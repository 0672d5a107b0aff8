#include "properties/case/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "properties/case/errors.hpp"
#include "properties/case/tensor_case.hpp"

namespace warpcheck::properties {
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

}  // namespace

bool Layouts::any_packed() const {
  return a.packed || b.packed || c.packed || (d && d->packed) ||
         std::any_of(tensors.begin(), tensors.end(),
                     [](const Placement& tensor) { return tensor.packed; });
}

const Placement* Layouts::of(Operand operand) const {
  switch (operand) {
    case Operand::a:
      return &a;
    case Operand::b:
      return &b;
    case Operand::c:
      return &c;
    case Operand::d:
      return d ? &*d : nullptr;
    case Operand::bias:
      return bias ? &*bias : nullptr;
  }
  return nullptr;
}

Layouts lay_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  if (contract.tensors != nullptr) {
    Layouts layouts;
    layouts.tensors = tensor::lay_out(contract, problem, limit_bytes);
    return layouts;
  }
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

bool can_be_laid_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  try {
    (void)lay_out(contract, problem, limit_bytes);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool fits(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  try {
    return !lay_out(contract, problem, limit_bytes).any_packed();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace warpcheck::properties

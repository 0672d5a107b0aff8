#include "properties/case/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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

constexpr auto kMostBytes = static_cast<std::int64_t>(device::kMostBufferBytes);

/// Returns about the memory that a packed matrix takes: whole pages of each line and of its shadow.
std::int64_t bytes_of_lines(const Placement& matrix) {
  constexpr std::int64_t kPage = 4096;
  const std::int64_t line =
      matrix.line_length() * static_cast<std::int64_t>(size_of(matrix.type)) + 2 * kPage;
  std::int64_t bytes = 0;
  const bool overflows =
      __builtin_mul_overflow(matrix.lines(), line, &bytes) ||
      __builtin_mul_overflow(bytes, std::max<std::int64_t>(matrix.batch, 1), &bytes);
  return overflows ? std::numeric_limits<std::int64_t>::max() : bytes;
}

/// Returns the number of bytes from the first element to the last one; empty beyond 2^63.
std::optional<std::int64_t> span_bytes(const Placement& matrix) {
  std::int64_t elements = 0;  // to the last element of the last line
  std::int64_t before = 0;    // of the matrices before the last one
  std::int64_t bytes = 0;
  const bool overflows =
      __builtin_mul_overflow(std::max<std::int64_t>(matrix.lines() - 1, 0), matrix.leading,
                             &elements) ||
      __builtin_add_overflow(elements, matrix.line_length(), &elements) ||
      __builtin_mul_overflow(std::max<std::int64_t>(matrix.batch - 1, 0), matrix.stride, &before) ||
      __builtin_add_overflow(elements, before, &elements) ||
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(size_of(matrix.type)), &bytes);
  if (overflows) return std::nullopt;
  return bytes;
}

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

/// Decides whether the matrix is packed; throws if it is too large.
void check_size(const Case& problem, Placement& matrix, const OperandFields& operand,
                std::size_t limit_bytes) {
  const std::optional<std::int64_t> bytes = span_bytes(matrix);
  if (bytes && static_cast<std::uint64_t>(*bytes) <= limit_bytes) return;
  // A matrix without lines has none to pack, but its other extent may be billions.
  matrix.packed = bytes && *bytes <= kMostBytes && matrix.lines() > 0 &&
                  static_cast<std::uint64_t>(bytes_of_lines(matrix)) <= limit_bytes;
  if (matrix.packed) return;
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

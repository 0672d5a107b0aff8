#include "campaign/case/operand.hpp"

#include <algorithm>
#include <limits>

namespace warpcheck::campaign {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Layout;

constexpr StrideField leading(Operand operand, std::string_view name, std::int64_t Case::*field,
                              ArgumentWord word) {
  return {StrideField::Kind::leading_dimension, operand, name, field, word};
}

constexpr StrideField batch(Operand operand, std::string_view name, std::int64_t Case::*field,
                            ArgumentWord word) {
  return {StrideField::Kind::batch_stride, operand, name, field, word};
}

// THE table of the operands, in the order of the enumeration.
constexpr std::array<OperandFields, kOperands.size()> kFieldsOfOperands = {{
    {"A", ArgumentWord::a, &Contract::type_a, &Case::off_a, &Contract::layout_a, &Case::m, &Case::k,
     leading(Operand::a, "lda", &Case::lda, ArgumentWord::lda),
     batch(Operand::a, "stride_a", &Case::stride_a, ArgumentWord::stride_a), &Case::ta,
     ArgumentWord::ta, "m"},
    {"B", ArgumentWord::b, &Contract::type_b, &Case::off_b, &Contract::layout_b, &Case::k, &Case::n,
     leading(Operand::b, "ldb", &Case::ldb, ArgumentWord::ldb),
     batch(Operand::b, "stride_b", &Case::stride_b, ArgumentWord::stride_b), &Case::tb,
     ArgumentWord::tb, "n"},
    {"C",
     ArgumentWord::c,
     &Contract::type_c,
     &Case::off_c,
     &Contract::layout_c,
     &Case::m,
     &Case::n,
     leading(Operand::c, "ldc", &Case::ldc, ArgumentWord::ldc),
     batch(Operand::c, "stride_c", &Case::stride_c, ArgumentWord::stride_c),
     nullptr,
     {},
     "m"},
    {"D",
     ArgumentWord::d,
     &Contract::type_c,
     &Case::off_c,
     &Contract::layout_c,
     &Case::m,
     &Case::n,
     leading(Operand::d, "ldc", &Case::ldc, ArgumentWord::ldd),
     batch(Operand::d, "stride_c", &Case::stride_c, ArgumentWord::stride_d),
     nullptr,
     {},
     "m"},
    {"bias", ArgumentWord::bias, &Contract::type_c, &Case::off_bias},
}};

/// Returns the number of elements in all lines of one matrix, which have no gaps between them.
std::int64_t tight_batch_stride(const Contract& contract, const Case& problem, Operand matrix) {
  const OperandFields& operand = fields(matrix);
  const bool by_row = layout_of(contract, problem, matrix) == Layout::row;
  const std::int64_t lines = by_row ? problem.*operand.rows : problem.*operand.columns;
  std::int64_t elements = 0;
  return __builtin_mul_overflow(lines, leading_dimension(contract, problem, matrix), &elements)
             ? std::numeric_limits<std::int64_t>::max()
             : elements;
}

}  // namespace

std::int64_t StrideField::tight(const Contract& contract, const Case& problem) const {
  return kind == Kind::leading_dimension
             ? std::max<std::int64_t>(1, line_length(contract, problem, operand))
             : tight_batch_stride(contract, problem, operand);
}

std::int64_t StrideField::effective(const Contract& contract, const Case& problem) const {
  const std::int64_t given = taken_by(contract) ? problem.*field : 0;
  return given != 0 ? given : tight(contract, problem);
}

const OperandFields& fields(Operand operand) {
  return kFieldsOfOperands.at(static_cast<std::size_t>(operand));
}

std::array<StrideField, 6> stride_fields(const Contract& contract) {
  const auto c_or_d = [&](StrideField OperandFields::*stride) {
    const StrideField& stride_c = fields(Operand::c).*stride;
    const StrideField& stride_d = fields(Operand::d).*stride;
    if (!stride_c.taken_by(contract) || !stride_d.taken_by(contract)) {
      return stride_c.taken_by(contract) ? stride_c : stride_d;
    }
    // The matrix with the wider lines has the larger tight stride.
    const bool only_d = fields(Operand::d).leading_dimension.taken_by(contract) &&
                        !fields(Operand::c).leading_dimension.taken_by(contract);
    return only_d ? stride_d : stride_c;
  };
  return {fields(Operand::a).leading_dimension,      fields(Operand::b).leading_dimension,
          c_or_d(&OperandFields::leading_dimension), fields(Operand::a).batch_stride,
          fields(Operand::b).batch_stride,           c_or_d(&OperandFields::batch_stride)};
}

Layout layout_of(const Contract& contract, const Case& problem, Operand matrix) {
  const OperandFields& operand = fields(matrix);
  const Layout layout = contract.*operand.layout;
  if (operand.transposed == nullptr || !(problem.*operand.transposed)) return layout;
  return layout == Layout::row ? Layout::column : Layout::row;
}

std::int64_t line_length(const Contract& contract, const Case& problem, Operand matrix) {
  const OperandFields& operand = fields(matrix);
  return layout_of(contract, problem, matrix) == Layout::row ? problem.*operand.columns
                                                             : problem.*operand.rows;
}

std::int64_t leading_dimension(const Contract& contract, const Case& problem, Operand matrix) {
  return fields(matrix).leading_dimension.effective(contract, problem);
}

std::int64_t batch_stride(const Contract& contract, const Case& problem, Operand matrix) {
  return fields(matrix).batch_stride.effective(contract, problem);
}

}  // namespace warpcheck::campaign

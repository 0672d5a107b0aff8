#include "campaign/case/operand.hpp"

namespace warpcheck::campaign {
namespace {

using contract::ArgumentWord;
using contract::Contract;

constexpr std::array<OperandFields::Stride, 2> strides(std::string_view leading, ArgumentWord word,
                                                       std::string_view batch,
                                                       ArgumentWord word_of_batch) {
  return {{{{leading, FieldKind::leading_dimension}, word},
           {{batch, FieldKind::batch_stride}, word_of_batch}}};
}

// THE table of the operands, in the order of the enumeration.
constexpr std::array<OperandFields, kOperands.size()> kFieldsOfOperands = {{
    {"A", ArgumentWord::a, &Contract::type_a, "off_a", &Contract::layout_a, "m", "k",
     strides("lda", ArgumentWord::lda, "stride_a", ArgumentWord::stride_a), ArgumentWord::ta, "m"},
    {"B", ArgumentWord::b, &Contract::type_b, "off_b", &Contract::layout_b, "k", "n",
     strides("ldb", ArgumentWord::ldb, "stride_b", ArgumentWord::stride_b), ArgumentWord::tb, "n"},
    {"C",
     ArgumentWord::c,
     &Contract::type_c,
     "off_c",
     &Contract::layout_c,
     "m",
     "n",
     strides("ldc", ArgumentWord::ldc, "stride_c", ArgumentWord::stride_c),
     {},
     "m"},
    {"D",
     ArgumentWord::d,
     &Contract::type_c,
     "off_c",
     &Contract::layout_c,
     "m",
     "n",
     strides("ldc", ArgumentWord::ldd, "stride_c", ArgumentWord::stride_d),
     {},
     "m"},
    {"bias", ArgumentWord::bias, &Contract::type_c, "off_bias"},
}};

}  // namespace

const OperandFields& fields(Operand operand) {
  return kFieldsOfOperands.at(static_cast<std::size_t>(operand));
}

Operand output_of(const Contract& contract) {
  return contract.takes(ArgumentWord::d) ? Operand::d : Operand::c;
}

}  // namespace warpcheck::campaign

// Laws of normalization and of the layout.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/operand_layout.hpp"
#include "tests/campaign/arbitrary_case.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign {
namespace {

contract::Contract any_contract() {
  return testing::variant_of(*testing::contract_text()).contract;
}

RC_GTEST_PROP(NormalizedCase, NormalizationIsIdempotent, ()) {
  const contract::Contract contract = any_contract();
  const Case once = normalized(contract, *testing::small_case());
  RC_ASSERT(normalized(contract, once) == once);
}

RC_GTEST_PROP(NormalizedCase, HasNoIgnoredField, ()) {
  const contract::Contract contract = any_contract();
  const Case once = normalized(contract, *testing::small_case());
  RC_ASSERT(ignored_field(contract, once) == "");
}

RC_GTEST_PROP(OperandLayout, EffectiveStrideIsStableUnderNormalization, ()) {
  const contract::Contract contract = any_contract();
  const Case once = normalized(contract, *testing::small_case());
  for (const OperandLayout& operand : operand_layouts(contract, once)) {
    for (const OperandLayout::Stride& stride : operand.strides) {
      if (!stride.field.is_taken) continue;
      Case explicit_stride = once;
      stride.field.set(explicit_stride, operand.effective(stride));
      RC_ASSERT(normalized(contract, explicit_stride) == once);
    }
  }
}

RC_GTEST_PROP(Placement, DescribeInvertsByteOf, ()) {
  const contract::Contract contract = any_contract();
  Case problem = *testing::small_case();
  for (const CaseField& field : case_fields(contract)) {
    if (field.is_stride()) field.set(problem, 0);
  }
  problem = normalized(contract, problem);
  RC_PRE(problem.whole("m") > 0 && problem.whole("n") > 0 && problem.whole("k") > 0);
  const Layouts layouts = lay_out(contract, problem, std::size_t{1} << 30);
  const Placement& matrix = layouts.at(*rc::gen::element("A", "B", "C"));
  const auto row = *rc::gen::inRange<std::int64_t>(0, matrix.all_rows());
  const auto column = *rc::gen::inRange<std::int64_t>(0, matrix.columns);
  const MemoryPlace place{matrix.name, static_cast<std::ptrdiff_t>(matrix.byte_of(row, column)),
                          size_of(matrix.type), false};
  RC_ASSERT(matrix.describe(place) == matrix.element(row, column));
}

}  // namespace
}  // namespace warpcheck::campaign

// Cases of operations of the language.
#include "campaign/case/tensor_case.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::tensor {
namespace {

using ::testing::HasSubstr;
using testing::kRowSums;

constexpr std::size_t kLimit = std::size_t{1} << 20;

contract::Contract row_sums() { return testing::operation_contract(kRowSums); }

std::string error_of(const std::string& line) {
  try {
    (void)campaign::lay_out(row_sums(), parse_case(line), kLimit);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Case arbitrary_case() {
  Case problem;
  problem.variant = "sums";
  problem.operation = "row_sums";
  for (const char* name : {"depth", "rows", "columns"}) {
    problem.set_value(name, *rc::gen::inRange(1, 40));
  }
  problem.set_value("stride_x", *rc::gen::inRange(0, 60));
  problem.set_value("off_x", *rc::gen::inRange(0, 4));
  problem.set_value("scale", *rc::gen::arbitrary<int>() / 7.0);
  problem.seed = *rc::gen::arbitrary<std::uint64_t>();
  problem.data = *rc::gen::element(Recipe::lattice, Recipe::normal, Recipe::special);
  return problem;
}

RC_GTEST_PROP(TensorCase, ParsingInvertsPrinting, ()) {
  const Case problem = arbitrary_case();
  RC_ASSERT(parse_case(to_line(problem)) == problem);
}

RC_GTEST_PROP(TensorCase, NormalizationIsIdempotentAndIgnoresNothing, ()) {
  const contract::Contract contract = row_sums();
  const Case once = campaign::normalized(contract, arbitrary_case());
  RC_ASSERT(campaign::normalized(contract, once) == once);
  RC_ASSERT(campaign::ignored_field(contract, once) == "");
}

RC_GTEST_PROP(TensorCase, PlacesAreInTheirBufferAndDescribed, ()) {
  const contract::Contract contract = row_sums();
  Case problem = arbitrary_case();
  if (problem.value("stride_x") < problem.value("columns")) problem.set_value("stride_x", 60);
  const auto places = campaign::lay_out(contract, problem, kLimit).operands;
  RC_ASSERT(places.size() == 2U);
  const Placement& x = places[0];
  const auto row = *rc::gen::inRange<std::int64_t>(0, x.rows);
  const auto column = *rc::gen::inRange<std::int64_t>(0, x.columns);
  const std::size_t byte = x.byte_of(row, column);
  RC_ASSERT(byte + 4 <= x.extent().bytes());
  const MemoryPlace place{x.name, static_cast<std::ptrdiff_t>(byte), 4, false};
  RC_ASSERT(x.describe(place) == x.element(row, column));
}

TEST(TensorCase, LineNamesTheOperationAndItsFields) {
  const Case problem = parse_case(
      "sums operation=row_sums columns=5 rows=3 depth=2 stride_x=9 scale=0.5 data=normal seed=7");
  EXPECT_EQ(to_line(campaign::normalized(row_sums(), problem)),
            "sums operation=row_sums depth=2 rows=3 columns=5 stride_x=9 scale=0.5 data=normal "
            "seed=7");
}

TEST(TensorCase, TightStridesAndNoOffsetsAreLeftOut) {
  const Case problem =
      parse_case("sums operation=row_sums depth=1 rows=3 columns=5 stride_x=5 off_x=0 scale=1");
  EXPECT_EQ(to_line(campaign::normalized(row_sums(), problem)),
            "sums operation=row_sums depth=1 rows=3 columns=5 scale=1 data=lattice seed=0");
}

TEST(TensorCase, ElementsHaveAnIndexForEachDimension) {
  const Case problem = parse_case("sums operation=row_sums depth=2 rows=3 columns=5 scale=1");
  const auto places = campaign::lay_out(row_sums(), problem, kLimit).operands;
  EXPECT_EQ(places[0].element(4, 2), "x[1, 1, 2]");
  EXPECT_EQ(places[1].element(1, 2), "y[1, 2]");
}

TEST(TensorCase, ValuesThatNoLayoutHasAreLocated) {
  const std::string line = "sums operation=row_sums depth=2 rows=3 columns=5 ";
  EXPECT_THAT(error_of(line + "rows=4"), HasSubstr("rows is given twice"));
  EXPECT_THAT(error_of("sums operation=row_sums rows=-1"), HasSubstr("at least 0"));
  EXPECT_THAT(error_of("sums operation=row_sums rows=1.5"), HasSubstr("a whole number"));
  EXPECT_THAT(error_of(line + "stride_x=4"), HasSubstr("less than the 5 elements of a row of x"));
  EXPECT_THAT(error_of("sums operation=row_sums rows=10000000"), HasSubstr("the limit is"));
  EXPECT_THAT(error_of("sums operation=row_sums rows=1e300"), HasSubstr("a whole number"));
  EXPECT_EQ(error_of(line), "");
}

TEST(TensorCase, BatchStrideSeparatesTheMatrices) {
  const contract::Contract contract = testing::operation_contract(testing::batched_row_sums());
  const Case problem = campaign::normalized(
      contract, parse_case("sums operation=row_sums depth=2 rows=3 columns=5 stride_x=7 "
                           "batch_stride_x=24"));
  EXPECT_EQ(problem.value("batch_stride_x"), 24.0);
  const Placement x = campaign::lay_out(contract, problem, kLimit).operands[0];
  EXPECT_EQ(x.byte_of(2, 4), 4U * (2 * 7 + 4));
  EXPECT_EQ(x.byte_of(4, 1), 4U * (24 + 7 + 1));
  EXPECT_EQ(x.element(4, 1), "x[1, 1, 1]");
  EXPECT_EQ(x.extent().bytes(), 4U * (24 + 2 * 7 + 5));
  EXPECT_TRUE(x.extent().is_padding(4 * 21)) << "between the matrices";
  EXPECT_EQ(x.describe({"x", 4 * 21, 4, false}), "x[1, 0, 0]: row 3 of 6 rows");
  // The least is three rows of seven elements, which is left out.
  const Case tight = campaign::normalized(
      contract, parse_case("sums operation=row_sums depth=2 rows=3 columns=5 stride_x=7 "
                           "batch_stride_x=21"));
  EXPECT_EQ(tight.value("batch_stride_x"), std::nullopt);
  Case wrong = problem;
  wrong.set_value("batch_stride_x", 20);
  EXPECT_FALSE(campaign::can_be_laid_out(contract, wrong, kLimit));
}

TEST(TensorCase, EmptyTensorsTakeNoMemory) {
  const Case problem = campaign::normalized(
      row_sums(), parse_case("sums operation=row_sums depth=2 rows=3 columns=0"));
  const auto places = campaign::lay_out(row_sums(), problem, kLimit).operands;
  EXPECT_EQ(places[0].extent().bytes(), 0U);
  EXPECT_EQ(places[1].extent().bytes(), 24U);
  EXPECT_FALSE(has_no_output(row_sums(), problem));
  EXPECT_TRUE(has_no_output(row_sums(), parse_case("sums operation=row_sums rows=0")));
}

TEST(TensorCase, UnknownFieldIsIgnored) {
  EXPECT_EQ(campaign::ignored_field(row_sums(), parse_case("sums operation=row_sums colums=5")),
            "colums");
  // `y` has one stride only, which the kernel does not take.
  EXPECT_EQ(campaign::ignored_field(
                row_sums(), parse_case("sums operation=row_sums rows=3 columns=5 stride_y=9")),
            "stride_y");
}

TEST(TensorCase, ExpressionsSeeEffectiveStridesAndAddresses) {
  const contract::Contract contract = row_sums();
  const Case problem =
      parse_case("sums operation=row_sums depth=2 rows=3 columns=5 off_x=1 scale=1");
  const contract::Bindings names = bindings(contract, problem);
  EXPECT_EQ(names.value("stride_x"), 5);
  EXPECT_EQ(names.value("rows"), 3);
  EXPECT_EQ(names.value("m"), std::nullopt);
  EXPECT_EQ(names.address("x"), 4);
  EXPECT_EQ(names.address("y"), 0);
}

// depth x rows sums of `columns` terms, each of which takes a product.
TEST(TensorCase, WorkCountsTheTermsOfReductions) {
  const contract::Contract contract = row_sums();
  const CaseSchema schema = case_schema(contract);
  const auto work = [&](const std::string& extents) {
    const Case problem = parse_case("sums operation=row_sums " + extents);
    return schema.work.evaluate(bindings(contract, problem)).value_or(0);
  };
  EXPECT_EQ(work("rows=300 columns=5"), 100 * work("rows=3 columns=5"));
  EXPECT_GT(work("rows=3 columns=500"), 90 * work("rows=3 columns=5"));
}

}  // namespace
}  // namespace warpcheck::campaign::tensor

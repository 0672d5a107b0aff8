// Strides of every dimension, and the order of dimensions in memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/memory_order.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/generate/overflow_strides.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kLimit = std::size_t{1} << 24;

/// The kernel takes all strides of x, those of y but the last one, and that of a vector.
contract::Contract scaled(const std::string& more = {}) {
  return testing::operation_contract(R"toml(
[[operation]]
name    = "scaled"
extents = ["depth", "rows", "columns"]
inputs  = { x = { shape = ["depth", "rows", "columns"] }, w = { shape = ["columns"] } }
outputs = { y = { shape = ["depth", "rows", "columns"] } }
define  = "y[d,i,j] = x[d,i,j] * w[j]"

[[variant]]
name      = "scaled"
operation = "scaled"
kernel    = "scaled"
arguments = ["x", "w", "y", "stride_x_0", "stride_x_1", "stride_x_2", "stride_w_0", "stride_y_0",
             "stride_y_1", "depth", "rows", "columns"]
block     = [32]
grid      = ["rows", "depth"]
)toml",
                                     more);
}

Case case_of(const contract::Contract& contract, const std::string& fields) {
  return normalized(contract, parse_case("scaled operation=scaled " + fields));
}

std::int64_t value(const contract::Contract& contract, const Case& problem, const char* name) {
  return bindings(contract, problem).value(name).value_or(-1);
}

std::string error_of(const std::string& fields) {
  try {
    (void)lay_out(scaled(), parse_case("scaled operation=scaled " + fields), kLimit);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string error_of_contract(const std::string& text) {
  try {
    (void)testing::operation_contract(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MemoryOrders, AreAllPermutationsInOrder) {
  const MemoryOrders orders{4, 3};
  ASSERT_EQ(orders.count(), 6);
  std::vector<std::vector<std::size_t>> all;
  for (std::int64_t i = 0; i < orders.count(); ++i) {
    all.push_back(orders.order(i));
    EXPECT_EQ(orders.number_of(orders.digits(i)), i);
  }
  EXPECT_EQ(all.front(), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(all[2], (std::vector<std::size_t>{1, 0, 2, 3}));
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 6U);
  EXPECT_EQ(orders.number_of(132.0), std::nullopt) << "the last dimension is contiguous";
  EXPECT_EQ(orders.number_of(3012.0), std::nullopt) << "the last dimension has moved";
  for (const double digits : {55.0, 0.5, 12.5, 112.0, 10123.0, -123.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(orders.number_of(digits), std::nullopt) << digits;
  }
}

// In each order and with gaps anywhere, elements lie at the sum of their strides, apart from one
// another; all other bytes are gaps.
RC_GTEST_PROP(Strides, ElementsAreApartAndTheRestIsGaps, ()) {
  const contract::Contract contract = scaled();
  const CaseSchema schema = case_schema(contract);
  Case problem = case_of(contract, "");
  for (const std::size_t extent : schema.fields_of_kind(CaseField::Kind::extent)) {
    schema.fields[extent].set(problem, *rc::gen::inRange<std::int64_t>(1, 6));
  }
  for (const std::size_t order : schema.fields_of_kind(CaseField::Kind::order)) {
    const CaseField& field = schema.fields[order];
    field.set(problem, *rc::gen::inRange<std::int64_t>(0, field.orders.count()));
  }
  for (const std::size_t number : schema.from_within(problem)) {
    const CaseField& field = schema.fields[number];
    if (!field.is_stride() || *rc::gen::arbitrary<bool>()) continue;
    field.set(problem,
              tight_stride(contract, problem, field.name) + *rc::gen::inRange<std::int64_t>(0, 4));
  }
  problem = normalized(contract, problem);
  RC_ASSERT(parse_case(to_line(problem)) == problem);
  RC_ASSERT(normalized(contract, problem) == problem);
  const Layouts layouts = lay_out(contract, problem, kLimit);
  for (const Placement& place : layouts.operands) {
    const device::Extent extent = place.extent();
    std::set<std::size_t> elements;
    std::set<std::size_t> packed;
    for (std::int64_t row = 0; row < place.all_rows(); ++row) {
      for (std::int64_t column = 0; column < place.columns; ++column) {
        const std::size_t byte = place.byte_of(row, column);
        elements.insert(byte / 4);
        packed.insert(extent.packed_from(byte));
        RC_ASSERT(extent.offset_from(extent.packed_from(byte)) == byte);
        const MemoryPlace access{place.name, static_cast<std::ptrdiff_t>(byte), 4, false};
        RC_ASSERT(place.describe(access) == place.element(row, column));
      }
    }
    const auto count = static_cast<std::size_t>(place.all_rows() * place.columns);
    RC_ASSERT(elements.size() == count);
    RC_ASSERT(packed.size() == count);
    RC_ASSERT(*packed.rbegin() == 4 * (count - 1));
    for (std::size_t i = 0; i < extent.bytes() / 4; ++i) {
      RC_ASSERT(extent.is_padding(4 * i) == !elements.contains(i));
    }
  }
  const Placement& x = layouts.at("x");
  const std::int64_t rows = value(contract, problem, "rows");
  RC_ASSERT(
      x.byte_of(x.all_rows() - 1, 0) / 4 ==
      static_cast<std::size_t>((x.all_rows() / rows - 1) * value(contract, problem, "stride_x_0") +
                               (rows - 1) * value(contract, problem, "stride_x_1")));
}

TEST(Strides, AreTightInTheOrderOfTheCase) {
  const contract::Contract contract = scaled();
  const Case usual = case_of(contract, "depth=2 rows=3 columns=5");
  EXPECT_EQ(value(contract, usual, "stride_x_0"), 15);
  EXPECT_EQ(value(contract, usual, "stride_x_1"), 5);
  EXPECT_EQ(value(contract, usual, "stride_x_2"), 1);
  const Case moved = case_of(contract, "depth=2 rows=3 columns=5 order_x=201 order_y=102");
  EXPECT_EQ(value(contract, moved, "stride_x_0"), 3);
  EXPECT_EQ(value(contract, moved, "stride_x_1"), 1);
  EXPECT_EQ(value(contract, moved, "stride_x_2"), 6);
  EXPECT_EQ(value(contract, moved, "stride_y_0"), 5);
  EXPECT_EQ(value(contract, moved, "stride_y_1"), 10);
  const Case wide = case_of(contract, "depth=2 rows=3 columns=5 order_x=201 stride_x_1=2");
  EXPECT_EQ(value(contract, wide, "stride_x_0"), 6);
  EXPECT_EQ(value(contract, wide, "stride_x_2"), 12);
}

TEST(Strides, OrderIsPrintedWithADigitForEachDimension) {
  const contract::Contract contract = scaled();
  EXPECT_EQ(to_line(case_of(contract, "depth=2 rows=3 columns=5 order_x=021 stride_x_1=7")),
            "scaled operation=scaled depth=2 rows=3 columns=5 order_x=021 stride_x_1=7 "
            "data=lattice seed=0");
  EXPECT_EQ(to_line(case_of(contract, "depth=2 rows=3 columns=5 order_x=012 stride_x_1=5")),
            "scaled operation=scaled depth=2 rows=3 columns=5 data=lattice seed=0");
}

TEST(Strides, ThatNoLayoutHasAreLocated) {
  const std::string extents = "depth=2 rows=3 columns=5 ";
  EXPECT_EQ(error_of(extents), "");
  EXPECT_THAT(error_of(extents + "stride_x_2=2 stride_x_1=5"),
              HasSubstr("stride_x_1=5 is less than the 10 elements of one step in x"));
  EXPECT_THAT(error_of("depth=2 rows=1 columns=5 stride_x_1=2"),
              HasSubstr("stride_x_1=2 is less than the 5 elements of a row of x"));
  EXPECT_THAT(error_of("depth=2 rows=3 columns=1 order_x=210 stride_x_1=1"),
              HasSubstr("stride_x_1=1 is less than the 2 elements of a column of x"));
  EXPECT_THAT(error_of("depth=2 rows=1 columns=5 order_x=102 stride_x_0=3"),
              HasSubstr("stride_x_0=3 is less than the 5 elements of a row of x"));
  EXPECT_THAT(error_of("depth=2 rows=1 columns=3 order_x=201 stride_x_0=4 stride_x_2=1"),
              HasSubstr("stride_x_2=1 is less than the 2 lines of 4 elements of x"));
  EXPECT_THAT(error_of(extents + "order_x=021 stride_x_2=2"),
              HasSubstr("stride_x_2=2 is less than the 3 elements of a column of x"));
  EXPECT_THAT(error_of(extents + "order_x=33"),
              HasSubstr("order_x=33: expected an order of the dimensions such as 210"));
  EXPECT_THAT(error_of(extents + "order_y=021"), HasSubstr("such as 102"));
}

TEST(Strides, PlacesOutsideAreDescribed) {
  const contract::Contract contract = scaled();
  const Case problem = case_of(contract, "depth=2 rows=3 columns=5 stride_x_2=2 order_x=120");
  const Placement x = lay_out(contract, problem, kLimit).at("x");
  EXPECT_EQ(x.describe({"x", 0, 4, false}), "x[0, 0, 0]");
  ASSERT_EQ(value(contract, problem, "stride_x_2"), 2);
  const Case gaps = case_of(contract, "depth=2 rows=3 columns=5 stride_x_2=2");
  const Placement with_gaps = lay_out(contract, gaps, kLimit).at("x");
  EXPECT_EQ(with_gaps.describe({"x", 4 * 3, 4, false}), "x[0, 0, 1]: in the gap behind it");
  EXPECT_EQ(with_gaps.describe({"x", 4 * 60, 4, false}),
            "x[2, 0, 0]: row 6 of 6 rows, 5 bytes past the end of x");
  // The depth lies within a row: behind the last one is the third of a depth of two.
  const Case inner = case_of(contract, "depth=2 rows=3 columns=5 order_x=120 stride_x_2=3");
  const Placement within = lay_out(contract, inner, kLimit).at("x");
  EXPECT_EQ(within.describe({"x", 4 * 2, 4, false}), "x[2, 0, 0]: index 2 of 2 along dimension 0");
}

TEST(Strides, EveryOrderIsGenerated) {
  const contract::Contract contract = scaled();
  const CaseSchema schema = case_schema(contract);
  const generate::CaseGenerator cases(contract, {.seed = 1});
  std::set<std::string> lines;
  std::set<std::int64_t> orders;
  std::set<std::int64_t> last;  // strides of the last dimension of x
  int with_gaps = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    const Case problem = cases.draw(i).problem;
    EXPECT_TRUE(fits(contract, problem, std::size_t{1} << 30)) << to_line(problem);
    orders.insert(schema.fields[*schema.find("order_x")].get(problem));
    lines.insert(to_line(problem));
    last.insert(value(contract, problem, "stride_x_2"));
    with_gaps += problem.value("stride_w_0").has_value() ? 1 : 0;
  }
  EXPECT_EQ(orders.size(), 6U);
  EXPECT_GT(lines.size(), 295U);
  EXPECT_TRUE(last.contains(1));
  EXPECT_TRUE(last.contains(2));
  EXPECT_GT(with_gaps, 60);
}

TEST(Strides, ConditionsDecideTheOrder) {
  struct Demand {
    std::string condition;
    std::size_t orders;  // how many of the orders of x are left
  };
  for (const Demand& demand : {Demand{"stride_x_0 == 1", 2}, Demand{"stride_x_2 == 1", 2},
                               Demand{"stride_x_0 >= stride_x_1 and stride_x_1 >= stride_x_2", 1},
                               Demand{"stride_x_1 % 8 == 0 and stride_x_2 == 1", 2}}) {
    const contract::Contract contract = scaled(fmt::format(
        "requires = [\"depth >= 2 and rows >= 2 and columns >= 2\", \"{}\"]\n", demand.condition));
    const CaseSchema schema = case_schema(contract);
    const generate::CaseGenerator cases(contract, {.seed = 1});
    std::set<std::int64_t> orders;
    for (std::int64_t i = 0; i < 150; ++i) {
      const Case problem = cases.draw(i).problem;
      EXPECT_EQ(violated(contract, problem), std::nullopt) << to_line(problem);
      orders.insert(schema.fields[*schema.find("order_x")].get(problem));
    }
    EXPECT_EQ(orders.size(), demand.orders) << demand.condition;
  }
}

TEST(Strides, OverflowBeyond31And32Bits) {
  const contract::Contract contract = scaled();
  const auto strides = generate::overflow_strides(case_schema(contract));
  EXPECT_EQ(strides.size(), 12U) << "three of x, one of w and two of y, beyond 2^31 and 2^32";
  const CaseSchema schema = case_schema(contract);
  const generate::CaseGenerator cases(contract, {.seed = 1, .int32_overflow_strides = true});
  std::set<std::string> beyond;
  for (std::int64_t i = 0; i < 300; ++i) {
    const Case problem = cases.draw(i).problem;
    for (const CaseField& field : schema.fields) {
      if (field.is_stride() && field.get(problem) > (1 << 28)) beyond.insert(field.name);
    }
  }
  EXPECT_EQ(beyond.size(), 6U) << "each of them";
}

TEST(Strides, HaveNumbersForAllDimensionsOrForNone) {
  const std::string both = R"toml(
[[operation]]
name    = "copy"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = "y[i,j] = x[i,j]"

[[variant]]
name      = "copy"
operation = "copy"
kernel    = "copy"
block     = [32]
grid      = ["rows"]
)toml";
  EXPECT_THAT(
      error_of_contract(both + "arguments = [\"x\", \"stride_x\", \"stride_x_1\", \"y\"]\n"),
      HasSubstr("'stride_x' and 'stride_x_1' are strides of 'x': number all of them"));
  EXPECT_THAT(error_of_contract(both + "arguments = [\"x\", \"stride_x\", \"y\"]\n" +
                                "requires = [\"stride_x_1 == 1\"]\n"),
              HasSubstr("'stride_x_1' is used, but no argument is a numbered stride of 'x'"));
}

}  // namespace
}  // namespace warpcheck::campaign

// Grids of operations of the language that exceed the limit of a launch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "campaign/case/domain.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/generate/grid_limits.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::generate {
namespace {

/// A contract with a launch of this grid and further lines.
contract::Contract contract_with(const std::string& grid, const std::string& more = "") {
  return testing::operation_contract(fmt::format(R"t([[operation]]
name    = "row_sums"
extents = ["batch", "rows", "columns"]
inputs  = {{ x = {{ shape = ["batch", "rows", "columns"] }} }}
outputs = {{ y = {{ shape = ["batch", "rows"] }} }}
define  = "y[b,i] = sum(j: x[b,i,j])"

[[variant]]
name      = "sums"
operation = "row_sums"
kernel    = "sums"
arguments = ["x", "y", "batch", "rows", "columns"]
block     = [64]
grid      = [{}]
)t",
                                                 grid),
                                     more);
}

std::string missing(const contract::Contract& contract) {
  std::string lines;
  for (const MissingLimit& limit : missing_limits(contract)) {
    EXPECT_EQ(violated(contract, limit.problem), std::nullopt) << to_line(limit.problem);
    lines += fmt::format("{}: {} blocks\n", limit.requires_, limit.blocks);
  }
  return lines;
}

constexpr const char* kTiles = R"t("columns", "ceil_div(rows, 16)", "batch")t";

TEST(TensorGridLimits, ConditionKeepsTheAxisWithinItsLimit) {
  EXPECT_EQ(missing(contract_with(kTiles)),
            "rows <= 1048560: 65536 blocks\nbatch <= 65535: 65536 blocks\n");
  EXPECT_EQ(missing(contract_with(
                kTiles, "requires = [\"rows <= 1048560 and columns > 2\", \"batch <= 65535\"]\n")),
            "");
  EXPECT_EQ(missing(contract_with(R"(1, "batch * rows")")),
            "batch * rows <= 65535: 65536 blocks\nbatch * rows <= 65535: 65536 blocks\n");
}

TEST(TensorGridLimits, CaseMeetsTheOtherConditions) {
  EXPECT_EQ(missing(contract_with(kTiles, "requires = [\"rows % 100 == 7\", \"batch == 2\"]\n")),
            "rows <= 1048560: 65538 blocks\n");
  EXPECT_EQ(missing(contract_with(R"(1, "rows")", "requires = [\"columns >= 1000\"]\n")), "");
}

TEST(TensorGridLimits, AxisXAndSmallGridsHaveNoLimit) {
  EXPECT_EQ(missing(contract_with(R"("batch * rows * columns")")), "");
  EXPECT_EQ(missing(contract_with(R"t(1, "min(rows, 64)", 4)t")), "");
}

TEST(TensorGridLimits, DeclaredSizesAreNotMissing) {
  EXPECT_EQ(missing(contract_with(R"(1, "rows")", "requires = [\"rows <= 4000000\"]\n")), "");
  EXPECT_EQ(missing(contract_with(R"(1, "rows")", "requires = [\"rows * batch <= 100000\"]\n")),
            "");
  EXPECT_EQ(missing(contract_with(R"(1, "rows")", "requires = [\"rows >= 70000\"]\n")), "");
  EXPECT_EQ(missing(contract_with(R"(1, "rows")", "requires = [\"rows >= 60000\"]\n")),
            "rows <= 65535: 65536 blocks\n");
  // Neither is a bound.
  EXPECT_EQ(missing(contract_with(R"(1, "rows")", "requires = [\"rows >= 8 * columns\"]\n")),
            "rows <= 65535: 65536 blocks\n");
  EXPECT_EQ(
      missing(contract_with(R"(1, "rows")", "requires = [\"rows * columns < 2000000000\"]\n")),
      "rows <= 65535: 65536 blocks\n");
}

/// The generated cases of which some axis y exceeds its limit.
int beyond(const contract::Contract& contract, bool strict_launch) {
  SizeLimits limits;
  limits.strict_launch = strict_launch;
  const CaseGenerator cases(contract, {.seed = 1, .sizes = limits});
  int count = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    const Case problem = cases.draw(i).problem;
    EXPECT_EQ(violated(contract, problem), std::nullopt) << to_line(problem);
    const auto blocks = contract.launches.front().grid[1].evaluate(bindings(contract, problem));
    count += blocks.value_or(0) > kMostBlocksOfYOrZ ? 1 : 0;
  }
  return count;
}

TEST(TensorGridLimits, OnlyDeclaredGridsAreGenerated) {
  EXPECT_EQ(beyond(contract_with(R"(1, "rows")"), false), 0);
  EXPECT_EQ(beyond(contract_with(R"(1, "rows")"), true), 2);
  EXPECT_EQ(beyond(contract_with(R"(1, "rows")", "requires = [\"rows <= 4000000\"]\n"), false), 2);
  EXPECT_EQ(beyond(contract_with(R"(1, "rows")", "requires = [\"rows <= 65535\"]\n"), true), 0);
  // A product of extents exceeds the limit in ordinary cases.
  EXPECT_EQ(beyond(contract_with(R"(1, "batch * rows * columns")"), false), 0);
}

}  // namespace
}  // namespace warpcheck::campaign::generate

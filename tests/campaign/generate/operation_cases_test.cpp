// Generated cases of operations of the language, and their data.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/generate/empty_extents.hpp"
#include "campaign/generate/overflow_strides.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::generate {
namespace {

using ::testing::HasSubstr;
using testing::kGather;
using testing::kRowSums;
using testing::operation_contract;

constexpr std::int64_t kDrawnCases = 300;

TEST(TensorCases, AreNormalizedAndInTheDomain) {
  const std::string demands =
      "requires = [\"columns % 8 == 0\", \"stride_x % 4 == 0\", \"rows <= columns\", "
      "\"depth * rows <= 500\", \"aligned(x, 16)\"]\n";
  const contract::Contract contract = operation_contract(kRowSums, demands);
  const CaseGenerator cases(contract, {.seed = 1});
  std::int64_t excluded = 0;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    const GeneratedCase one = cases.draw(i);
    EXPECT_EQ(violated(contract, one.problem), std::nullopt) << to_line(one.problem);
    EXPECT_EQ(normalized(contract, one.problem), one.problem);
    EXPECT_TRUE(fits(contract, one.problem, std::size_t{1} << 30)) << to_line(one.problem);
    excluded += one.excluded_by ? 1 : 0;
  }
  EXPECT_GT(excluded, 0);
}

TEST(TensorCases, DependOnTheSeedAndTheNumberAlone) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator one(contract, {.seed = 5});
  const CaseGenerator same(contract, {.seed = 5});
  const CaseGenerator other(contract, {.seed = 6});
  int different = 0;
  for (std::int64_t i = 40; i-- > 0;) {
    EXPECT_EQ(one.draw(i).problem, same.draw(i).problem);
    different += one.draw(i).problem == other.draw(i).problem ? 0 : 1;
  }
  EXPECT_GT(different, 30);
}

// Each extent is at, just below and above, and beyond twice the numbers of the contract.
TEST(TensorCases, MeetTheNumbersOfTheContract) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator cases(contract, {.seed = 1});
  for (const std::string extent : {"depth", "rows", "columns"}) {
    std::set<std::int64_t> sizes;
    for (std::int64_t i = 0; i < kDrawnCases; ++i) {
      sizes.insert(tensor::extent(cases.draw(i).problem, extent));
    }
    for (const std::int64_t number : {48, 96}) {
      int near = 0;
      for (std::int64_t size = number - 2; size <= number + 2; ++size) near += sizes.contains(size);
      EXPECT_GE(near, 2) << extent << " near " << number;
    }
    EXPECT_TRUE(sizes.contains(1)) << extent;
    EXPECT_GT(*sizes.rbegin(), 2 * 96) << extent;
  }
}

TEST(TensorCases, PadRowsAndShiftBases) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator cases(contract, {.seed = 1});
  int padded = 0;
  int shifted = 0;
  std::set<Recipe> recipes;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    const Case problem = cases.draw(i).problem;
    padded += problem.value("stride_x") ? 1 : 0;
    shifted += problem.value("off_y") ? 1 : 0;
    recipes.insert(problem.data);
  }
  EXPECT_GT(padded, kDrawnCases / 4);
  EXPECT_GT(shifted, kDrawnCases / 8);
  std::erase_if(recipes, is_structured);
  EXPECT_EQ(recipes, (std::set{Recipe::lattice, Recipe::normal, Recipe::wide, Recipe::special}));
}

TEST(TensorCases, KeepToTheLargestSize) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator cases(contract, {.seed = 1, .max_size = 16});
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    const Case problem = cases.draw(i).problem;
    for (const char* extent : {"depth", "rows", "columns"}) {
      EXPECT_LE(tensor::extent(problem, extent), 16) << to_line(problem);
    }
  }
}

// Most sizes beyond a limit of the contract become ones at the limit, not small ones: all but those
// of cases with a purpose of their own.
TEST(TensorCases, RepairSetsTheNearestSizeInTheDomain) {
  const contract::Contract contract =
      operation_contract(kRowSums, "requires = [\"columns <= 100\"]\n");
  const CaseGenerator cases(contract, {.seed = 1});
  constexpr std::int64_t kFirst = 2000;  // no case from here on covers combinations
  int repaired = 0;
  int at_limit = 0;
  for (std::int64_t i = kFirst; i < kFirst + kDrawnCases; ++i) {
    const GeneratedCase one = cases.draw(i);
    if (!one.excluded_by) continue;
    ++repaired;
    at_limit += tensor::extent(one.problem, "columns") >= 84 ? 1 : 0;
  }
  EXPECT_GT(repaired, 10);
  EXPECT_GE(at_limit, repaired * 4 / 5);
}

TEST(TensorCases, EmptyDomainIsAnErrorAtItsConditions) {
  const contract::Contract contract =
      operation_contract(kRowSums, "requires = [\"rows < columns\", \"columns < rows\"]\n");
  try {
    (void)CaseGenerator(contract, {.seed = 1}).draw(0);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("test.toml:17:14"));
    EXPECT_THAT(error.what(), HasSubstr("rows < columns and columns < rows"));
  }
}

TEST(TensorCases, HaveExtentsOfZeroWhereALaunchRemains) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator cases(contract, {.seed = 1});
  std::set<std::string> empty;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    const Case problem = cases.draw(i).problem;
    for (const char* extent : {"depth", "rows", "columns"}) {
      if (tensor::extent(problem, extent) == 0) empty.insert(extent);
    }
  }
  EXPECT_EQ(empty, (std::set<std::string>{"columns"})) << "without rows there is no block";
}

// Without columns, y is 0, whatever a kernel loses: few such cases are enough.
TEST(TensorCases, AnExtentIsZeroInItsTurnOnly) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator cases(contract, {.seed = 1});
  std::vector<std::int64_t> empty;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    if (tensor::extent(cases.draw(i).problem, "columns") == 0) empty.push_back(i);
  }
  ASSERT_FALSE(empty.empty());
  EXPECT_LT(empty.front(), 11);
  EXPECT_LE(std::ssize(empty), kDrawnCases / (3 * 11) + 1) << "one of three extents";
}

// An unrolled loop over rows, whose sums are empty, needs several rows.
TEST(TensorCases, ExtentsOfZeroMeetSmallAndLargeOnes) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator cases(contract, {.seed = 1});
  std::set<bool> is_large;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    const Case problem = cases.draw(i).problem;
    if (tensor::extent(problem, "columns") != 0) continue;
    is_large.insert(tensor::extent(problem, "rows") > 8);
  }
  EXPECT_EQ(is_large.size(), 2U);
}

/// Attention whose weights are `weight`; an index of batch, heads and group has blocks of its own.
contract::Contract attention(const std::string& weight) {
  return operation_contract(R"toml(
[[operation]]
name    = "attention"
extents = ["batch", "heads", "group", "length", "depth"]
inputs  = { q = { shape = ["batch", "heads", "group", "length", "depth"] } }
outputs = { y = { shape = ["batch", "heads", "group", "length", "depth"] } }
define  = "y[b,h,g,i,d] = sum(j: )toml" +
                            weight + R"toml(q[b,h,g,j,d] where j <= i)"

[[variant]]
name      = "attention"
operation = "attention"
kernel    = "attention"
arguments = ["q", "y", "group", "length", "depth"]
block     = [64]
grid      = ["ceil_div(length, 32)", "heads * group", "batch"]
requires  = ["depth <= 64"]
)toml");
}

/// A block adds up `tile` elements.
contract::Contract prefix_sums(int tile) {
  return operation_contract(fmt::format(R"toml(
[[operation]]
name    = "prefix_sums"
extents = ["n"]
inputs.x  = {{ shape = ["n"] }}
outputs.y = {{ shape = ["n"] }}
define  = "y[i] = sum(j: x[j] where j <= i)"

[[variant]]
name      = "prefix_sums"
operation = "prefix_sums"
kernel    = "prefix_sums"
arguments = ["x", "y", "n"]
block     = [32]
grid      = ["ceil_div(n, {0})"]
)toml",
                                        tile));
}

// A kernel that adds up one block only is right for a single one, which costs n * n steps.
TEST(TensorCases, HaveSeveralBlocksAlsoIfTheWorkIsQuadratic) {
  for (const int tile : {32, 256, 512, 1024, 2048, 4096}) {
    const contract::Contract contract = prefix_sums(tile);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const CaseGenerator cases(contract, {.seed = seed});
      int several = 0;
      for (std::int64_t i = 0; i < 20; ++i) {
        several += tensor::extent(cases.draw(i).problem, "n") > tile ? 1 : 0;
      }
      EXPECT_GE(several, 1) << "tile of " << tile << ", seed " << seed;
      EXPECT_LE(several, tile < 2048 ? 20 : 3) << "tile of " << tile << ", seed " << seed;
    }
  }
}

// An element past both of two tiles exists only if two extents are large.
TEST(TensorCases, ExtentsOfBlocksAreLargeTogether) {
  const contract::Contract contract = attention("");
  const CaseSchema schema = case_schema(contract);
  EXPECT_EQ(block_extents_of(contract, schema),
            (std::vector<std::size_t>{*schema.find("length"), *schema.find("depth")}));
  const CaseGenerator cases(contract, {.seed = 1});
  int both = 0;
  int odd = 0;  // large cases whose last part of a row is no whole vector
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    const Case problem = cases.draw(i).problem;
    const std::int64_t depth = tensor::extent(problem, "depth");
    if (tensor::extent(problem, "length") <= 16 || depth <= 16) continue;
    ++both;
    odd += depth % 8 == 0 ? 0 : 1;
  }
  EXPECT_GE(both, kDrawnCases / 12);
  EXPECT_GE(odd, kDrawnCases / 32);
  EXPECT_GE(both - odd, kDrawnCases / 64);
}

// If both together cost too much, one of them is as large as the contract allows, or nearly.
TEST(TensorCases, CostlyExtentsOfBlocksAreLargeInTurn) {
  std::string weight;  // 40 steps
  for (int i = 0; i < 10; ++i) weight += "exp(q[b,h,g,i,d]) * ";
  const contract::Contract contract = attention(weight);
  const CaseGenerator cases(contract, {.seed = 1});
  int deep = 0;
  int less = 0;  // cases with less than the allowed size
  int long_ones = 0;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    const Case problem = cases.draw(i).problem;
    const std::int64_t length = tensor::extent(problem, "length");
    const std::int64_t depth = tensor::extent(problem, "depth");
    deep += length > 8 && depth > 56 ? 1 : 0;
    less += length > 8 && depth > 56 && depth < 64 ? 1 : 0;
    long_ones += length > 20 && depth > 8 ? 1 : 0;
  }
  EXPECT_GE(deep, kDrawnCases / 60);
  EXPECT_GE(less, 3);
  EXPECT_GE(long_ones, kDrawnCases / 30);
}

// Blocks of 32 x 64 elements are dear, but do nothing without columns.
TEST(TensorCases, ExtentsAreZeroAlsoIfTilesAreDear) {
  std::string weight;
  for (int i = 0; i < 10; ++i) weight += "exp(q[b,h,g,i,d]) * ";
  const contract::Contract contract = attention(weight);
  const CaseGenerator cases(contract, {.seed = 1});
  int empty = 0;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    empty += tensor::extent(cases.draw(i).problem, "depth") == 0 ? 1 : 0;
  }
  EXPECT_GE(empty, kDrawnCases / 100);
}

// A softmax of one column does not depend on its input.
TEST(TensorCases, FewExtentsAreOne) {
  const contract::Contract contract = operation_contract(kRowSums);
  const CaseGenerator cases(contract, {.seed = 1});
  int ones = 0;
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    ones += tensor::extent(cases.draw(i).problem, "columns") == 1 ? 1 : 0;
  }
  EXPECT_GE(ones, 3);
  EXPECT_LE(ones, kDrawnCases / 8);
}

TEST(TensorCases, DoNotHaveExtentsOfZeroOutsideOfTheDomain) {
  for (const char* more :
       {"requires = [\"columns >= 1\"]\n", "requires = [\"rows / columns < 9\"]\n"}) {
    const contract::Contract contract = operation_contract(kRowSums, more);
    const CaseGenerator cases(contract, {.seed = 1});
    for (std::int64_t i = 0; i < kDrawnCases; ++i) {
      EXPECT_GT(tensor::extent(cases.draw(i).problem, "columns"), 0) << more;
    }
  }
}

TEST(EmptyExtents, LaunchWithoutBlocksIsNotGeneratedButListed) {
  const std::string text = kRowSums;
  const std::string grid = "\"ceil_div(rows, 48)\"";
  std::string by_columns = text;
  by_columns.replace(text.find(grid), grid.size(), "\"ceil_div(columns, 48)\"");
  const contract::Contract contract = operation_contract(by_columns);
  const auto launches = empty_launches(contract);
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].extent, "columns");
  EXPECT_EQ(launches[0].axis, "ceil_div(columns, 48)");
  EXPECT_EQ(empty_case(contract, launches[0].problem), EmptyCase::no_threads);
  const Case ones = normalized(contract, parse_case("sums operation=row_sums"));
  for (const std::int64_t number : {0, 3}) {
    const auto empty = with_empty_extent(contract, ones, number);
    ASSERT_TRUE(empty);
    EXPECT_EQ(empty->value("rows"), 0.0) << "y has no element then, but the grid has blocks";
  }
  for (const std::int64_t number : {1, 2}) {
    EXPECT_FALSE(with_empty_extent(contract, ones, number)) << "the turn of depth and of columns";
  }
  EXPECT_TRUE(empty_launches(operation_contract(kRowSums)).empty());
}

TEST(OverflowStrides, ExceedTwoAndFourBillionElements) {
  for (const std::string& text : {std::string(kRowSums), testing::batched_row_sums()}) {
    const contract::Contract contract = operation_contract(text);
    const CaseGenerator cases(contract, {.seed = 3, .int32_overflow_strides = true});
    std::set<int> beyond;  // exponents of two
    for (std::int64_t i = 0; i < 100; ++i) {
      const Case problem = cases.draw(i).problem;
      const auto places = lay_out(contract, problem, std::size_t{1} << 30).operands;
      if (!places[0].packed) continue;
      const double elements = static_cast<double>(places[0].extent().bytes()) / 4.0;
      for (const int exponent : {31, 32}) {
        if (elements > std::ldexp(1.0, exponent)) beyond.insert(exponent);
      }
      EXPECT_LT(std::max(places[0].line_distance(),
                         problem.value("batch_stride_x") ? places[0].axes[0].stride : 0),
                kBeyondInt32);
      EXPECT_EQ(violated(contract, problem), std::nullopt);
    }
    EXPECT_EQ(beyond, (std::set<int>{31, 32})) << text;
  }
}

// A word of no table would be outside of it.
TEST(TensorCases, PositionsAlongAnEmptyExtentHaveNoLayout) {
  const contract::Contract contract = operation_contract(kGather);
  const Case none = normalized(contract, parse_case("rows operation=gather tokens=2 words=0"));
  EXPECT_FALSE(can_be_laid_out(contract, none, std::size_t{1} << 20));
  EXPECT_EQ(empty_case(contract, none), EmptyCase::impossible);
  const CaseGenerator cases(contract, {.seed = 1});
  for (std::int64_t i = 0; i < kDrawnCases; ++i) {
    EXPECT_GT(tensor::extent(cases.draw(i).problem, "words"), 0);
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate

// Structures of the data of operations of the language, and distinct integers.
#include "campaign/generate/data/structure.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/generate/data/data.hpp"
#include "campaign/generate/data/random_bits.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::generate {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using testing::kGather;
using testing::kRowSums;
using testing::operation_contract;

constexpr std::int64_t kColumns = 40;

/// y[i] = sum(j: x[i,j]); `keys` are further keys of x.
contract::Contract sums(const std::string& keys = {}) {
  return operation_contract(fmt::format(R"toml(
[[operation]]
name    = "sums"
extents = ["rows", "columns"]
inputs  = {{ x = {{ shape = ["rows", "columns"]{} }} }}
outputs = {{ y = {{ shape = ["rows"] }} }}
define  = "y[i] = sum(j: x[i,j])"

[[variant]]
name      = "sums"
operation = "sums"
kernel    = "sums"
arguments = ["x", "y", "rows", "columns"]
block     = [32]
grid      = ["rows"]
)toml",
                                        keys));
}

/// A scatter to distinct slots; `at` has these keys.
contract::Contract scatter(const std::string& shape, const std::string& keys) {
  return operation_contract(fmt::format(R"toml(
[[operation]]
name    = "scatter"
extents = ["rows", "n", "slots"]
inputs  = {{ at = {{ shape = {}, integer = true, range = [0, "slots - 1"], {} }} }}
outputs = {{ y = {{ shape = ["slots"] }} }}
define  = "y[s] = s"

[[variant]]
name      = "scatter"
operation = "scatter"
kernel    = "scatter"
arguments = ["at", "y", "n"]
block     = [32]
grid      = ["n"]
)toml",
                                        shape, keys));
}

/// The rows of x, of 32 rows and 40 columns.
std::vector<std::vector<double>> rows_of(const contract::Contract& contract,
                                         const std::string& data, std::uint64_t seed) {
  Case problem = normalized(
      contract,
      parse_case(fmt::format("sums operation=sums rows=32 columns={} data={}", kColumns, data)));
  problem.seed = seed;
  const std::vector<double> x = tensor_values(*contract.tensors, problem)["x"].values;
  std::vector<std::vector<double>> rows;
  for (auto row = x.begin(); row != x.end(); row += kColumns)
    rows.emplace_back(row, row + kColumns);
  return rows;
}

template <class IsSo>
bool all(const std::vector<double>& row, const IsSo& is_so) {
  return std::all_of(row.begin(), row.end(), is_so);
}

bool is_minus_infinity(double value) { return value == -HUGE_VAL; }

// The kinds of masks of attention: causal ones, padding, whole tiles, and rows without a key.
TEST(Structure, MasksCoverPrefixesSuffixesTilesRowsAndEverything) {
  const contract::Contract contract = sums();
  std::map<std::string, int> found;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto rows = rows_of(contract, "masked", seed);
    int whole = 0;
    for (const std::vector<double>& row : rows) {
      EXPECT_FALSE(std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }));
      const auto masked = std::count_if(row.begin(), row.end(), is_minus_infinity);
      whole += masked == kColumns ? 1 : 0;
      if (masked == kColumns || masked < 2) continue;
      const auto first_end = std::find_if_not(row.begin(), row.end(), is_minus_infinity);
      const auto last_begin = std::find_if_not(row.rbegin(), row.rend(), is_minus_infinity);
      const std::vector<double> tile(row.begin() + 8, row.begin() + 16);
      found["prefix"] += first_end - row.begin() == masked ? 1 : 0;
      found["suffix"] += last_begin - row.rbegin() == masked ? 1 : 0;
      found["tile"] +=
          !is_minus_infinity(row[7]) && !is_minus_infinity(row[16]) && all(tile, is_minus_infinity)
              ? 1
              : 0;
      found["all but one"] += masked == kColumns - 1 ? 1 : 0;
    }
    found["row"] += whole > 0 && whole < 32 ? 1 : 0;
    found["tensor"] += whole == 32 ? 1 : 0;
    found["tile of rows"] += whole == 16 ? 1 : 0;
  }
  for (const char* kind : {"prefix", "suffix", "tile", "all but one", "row", "tensor"}) {
    EXPECT_GE(found[kind], 3) << kind;
  }
  EXPECT_GE(found["tile of rows"], 3);
}

TEST(Structure, MasksOfFiniteInputsAreFinite) {
  const contract::Contract contract = sums(", finite = true");
  bool is_masked = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const std::vector<double>& row : rows_of(contract, "masked", seed)) {
      EXPECT_TRUE(all(row, [](double value) { return std::isfinite(value); }));
      is_masked = is_masked || std::count(row.begin(), row.end(), -0x1p30) > 1;
    }
  }
  EXPECT_TRUE(is_masked);
}

TEST(Structure, ZerosHaveBothSignsAndCoverRows) {
  const contract::Contract contract = sums();
  int whole = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const std::vector<double>& row : rows_of(contract, "zeros", seed)) {
      if (!all(row, [](double value) { return value == 0.0; })) continue;
      ++whole;
      EXPECT_TRUE(std::any_of(row.begin(), row.end(), [](double x) { return std::signbit(x); }));
      EXPECT_FALSE(all(row, [](double x) { return std::signbit(x); }));
    }
  }
  EXPECT_GE(whole, 20);
}

// A selection of k elements needs ties at its boundary: more than k equal ones.
TEST(Structure, EqualElementsFillRowsAndAreTheLargestOrTheLeast) {
  const contract::Contract contract = sums();
  int whole = 0;
  int largest = 0;
  int least = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const std::vector<double>& row : rows_of(contract, "equal", seed)) {
      const auto [low, high] = std::minmax_element(row.begin(), row.end());
      whole += *low == *high ? 1 : 0;
      if (*low == *high) continue;
      largest += std::count(row.begin(), row.end(), *high) >= 10 ? 1 : 0;
      least += std::count(row.begin(), row.end(), *low) >= 10 ? 1 : 0;
    }
  }
  EXPECT_GE(whole, 40);
  EXPECT_GE(largest, 40);
  EXPECT_GE(least, 40);
}

TEST(Structure, RowsHaveOneSignOrder) {
  const contract::Contract contract = sums();
  int negative = 0;
  int positive = 0;
  int ascending = 0;
  int descending = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const std::vector<double>& row : rows_of(contract, "negative", seed)) {
      negative += all(row, [](double value) { return value < 0.0; }) ? 1 : 0;
      positive += all(row, [](double value) { return value > 0.0; }) ? 1 : 0;
    }
    for (const std::vector<double>& row : rows_of(contract, "ordered", seed)) {
      ascending += std::is_sorted(row.begin(), row.end()) ? 1 : 0;
      descending += std::is_sorted(row.rbegin(), row.rend()) ? 1 : 0;
    }
  }
  EXPECT_EQ(negative + positive, 320);
  EXPECT_GT(negative, 2 * positive);
  EXPECT_GT(positive, 40);
  EXPECT_EQ(ascending + descending, 320);
  EXPECT_GT(std::min(ascending, descending), 100);
}

TEST(Structure, OneElementDominatesItsRow) {
  const contract::Contract contract = sums();
  std::set<std::ptrdiff_t> places;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const std::vector<double>& row : rows_of(contract, "dominant", seed)) {
      const auto is_large = [](double value) { return std::abs(value) > 8.0; };
      const auto found = std::find_if(row.begin(), row.end(), is_large);
      EXPECT_LE(std::count_if(row.begin(), row.end(), is_large), 1);
      if (found != row.end()) places.insert(found - row.begin());
    }
  }
  EXPECT_TRUE(places.contains(0));
  EXPECT_TRUE(places.contains(kColumns - 1));
  EXPECT_GT(places.size(), 20U);
}

TEST(Structure, SubnormalAndLargeNumbersAreThoseOfTheType) {
  const contract::Contract contract = sums();
  int subnormal = 0;
  std::map<int, int> large;  // rows by the exponent of all their elements
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const std::vector<double>& row : rows_of(contract, "subnormal", seed)) {
      subnormal += all(row, [](double x) {
        return x != 0.0 && std::fpclassify(static_cast<float>(x)) == FP_SUBNORMAL;
      });
    }
    for (const std::vector<double>& row : rows_of(contract, "large", seed)) {
      const int exponent = std::ilogb(row.front());
      large[exponent] += all(row, [&](double x) { return std::ilogb(x) == exponent; });
    }
  }
  EXPECT_GE(subnormal, 10);
  for (const int exponent : {31, 63, 126}) EXPECT_GE(large[exponent], 3) << exponent;
}

// A mask hides the lost rows of an operation that has no other structure.
TEST(Structure, InputsWithoutNanHaveInfinitiesOnly) {
  const contract::Contract contract = sums(", nan = false");
  bool has_infinities = false;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    for (const std::vector<double>& row : rows_of(contract, "special", seed)) {
      EXPECT_TRUE(all(row, [](double value) { return !std::isnan(value); }));
      has_infinities =
          has_infinities || !all(row, [](double value) { return std::isfinite(value); });
    }
  }
  EXPECT_TRUE(has_infinities);
}

TEST(Structure, EachOccursWithinAHundredCasesForEachSeed) {
  for (const contract::Contract& contract :
       {operation_contract(kRowSums), operation_contract(kGather)}) {
    const std::vector<Recipe> possible = case_schema(contract).structures;
    EXPECT_FALSE(possible.empty());
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const CaseGenerator cases(contract, {.seed = seed});
      std::set<Recipe> found;
      for (std::int64_t i = 0; i < 100; ++i) found.insert(cases.draw(i).problem.data);
      for (const Recipe recipe : possible) {
        EXPECT_TRUE(found.contains(recipe)) << name(recipe) << " seed " << seed;
      }
    }
  }
}

TEST(Structure, ThoseOfAContractFollowFromItsPromises) {
  const auto has = [](const contract::Contract& contract, Recipe recipe) {
    const std::vector<Recipe> all = case_schema(contract).structures;
    return std::find(all.begin(), all.end(), recipe) != all.end();
  };
  EXPECT_FALSE(has(sums(), Recipe::crowded)) << "no integers";
  EXPECT_TRUE(has(sums(), Recipe::masked));
  EXPECT_TRUE(has(sums(), Recipe::subnormal));
  contract::Contract gather = operation_contract(kGather);
  EXPECT_TRUE(has(gather, Recipe::subnormal));
  gather.fast_math = true;
  EXPECT_FALSE(has(gather, Recipe::subnormal)) << "they may be 0";
  EXPECT_TRUE(has(operation_contract(kGather), Recipe::crowded));
  EXPECT_FALSE(has(scatter(R"(["n"])", "distinct = true"), Recipe::zeros)) << "integers only";
}

/// The numbers of `at` for 300 elements and 8 bins.
std::vector<double> bins(const contract::Contract& contract, std::uint64_t seed) {
  Case problem = normalized(
      contract, parse_case("scatter operation=scatter rows=1 n=300 slots=8 data=crowded"));
  problem.seed = seed;
  return tensor_values(*contract.tensors, problem)["at"].values;
}

TEST(Structure, CrowdedIntegersAreEqualOrInOrderOrSkewed) {
  const contract::Contract contract = scatter(R"(["n"])", "sorted = false");
  int one = 0;
  int most = 0;
  int ascending = 0;
  int descending = 0;
  int two = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<double> at = bins(contract, seed);
    const std::set<double> used(at.begin(), at.end());
    EXPECT_GE(*used.begin(), 0.0);
    EXPECT_LE(*used.rbegin(), 7.0);
    one += used.size() == 1 ? 1 : 0;
    most += used.size() > 2 && std::count(at.begin(), at.end(), at[0]) > 200 ? 1 : 0;
    two += used == std::set{0.0, 7.0} ? 1 : 0;
    ascending += used.size() == 8 && std::is_sorted(at.begin(), at.end()) ? 1 : 0;
    descending += used.size() == 8 && std::is_sorted(at.rbegin(), at.rend()) ? 1 : 0;
  }
  for (const int count : {one, most, ascending, descending, two}) EXPECT_GE(count, 3);
}

TEST(Distinct, ElementsDifferInEachRecipeAndKeepTheirRange) {
  const contract::Contract contract = scatter(R"(["n"])", "distinct = true");
  std::set<std::vector<double>> orders;
  for (const char* data : {"normal", "lattice", "special", "crowded"}) {
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
      for (const std::int64_t slots : {17, 18, 64, 1000}) {
        Case problem = normalized(
            contract, parse_case(fmt::format("scatter operation=scatter rows=1 n=17 slots={} "
                                             "data={}",
                                             slots, data)));
        problem.seed = seed;
        const std::vector<double> at = tensor_values(*contract.tensors, problem)["at"].values;
        const std::set<double> used(at.begin(), at.end());
        EXPECT_EQ(used.size(), 17U) << to_line(problem);
        EXPECT_GE(*used.begin(), 0.0);
        EXPECT_LT(*used.rbegin(), static_cast<double>(slots));
        orders.insert(at);
      }
    }
  }
  EXPECT_GT(orders.size(), 128U) << "random ones, and those in order";
}

TEST(Distinct, InRowsElementsOfARowDiffer) {
  const contract::Contract contract = scatter(R"(["rows", "n"])", "distinct = \"rows\"");
  const Case problem =
      normalized(contract, parse_case("scatter operation=scatter rows=50 n=4 slots=6"));
  const std::vector<double> at = tensor_values(*contract.tensors, problem)["at"].values;
  std::set<std::vector<double>> rows;
  for (auto row = at.begin(); row != at.end(); row += 4) {
    EXPECT_EQ(std::set<double>(row, row + 4).size(), 4U);
    rows.emplace(row, row + 4);
  }
  EXPECT_GT(rows.size(), 30U);
}

TEST(Distinct, ElementsThatRemainKeepTheirValues) {
  const contract::Contract contract = scatter(R"(["n"])", "distinct = true");
  const auto values = [&](int n) {
    const Case problem = normalized(
        contract,
        parse_case(fmt::format("scatter operation=scatter rows=1 n={} slots=64 seed=5", n)));
    return tensor_values(*contract.tensors, problem)["at"].values;
  };
  const std::vector<double> large = values(60);
  const std::vector<double> small = values(9);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
}

TEST(Distinct, GeneratedCasesHaveEnoughIntegers) {
  const contract::Contract contract = scatter(R"(["n"])", "distinct = true");
  const CaseGenerator cases(contract, {.seed = 1});
  std::set<std::int64_t> sizes;
  for (std::int64_t i = 0; i < 200; ++i) {
    const Case problem = cases.draw(i).problem;
    EXPECT_LE(tensor::extent(problem, "n"), tensor::extent(problem, "slots")) << to_line(problem);
    sizes.insert(tensor::extent(problem, "n"));
  }
  EXPECT_GT(*sizes.rbegin(), 64);
}

TEST(Distinct, TooFewIntegersAreAnErrorOfTheCase) {
  const contract::Contract contract = scatter(R"(["n"])", "distinct = true");
  const Case problem =
      normalized(contract, parse_case("scatter operation=scatter rows=1 n=9 slots=8"));
  try {
    (void)lay_out(contract, problem, std::size_t{1} << 20);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("at has 9 distinct elements, of only 8 integers from 0 to 7"));
  }
}

TEST(Distinct, PermutationsAreBijections) {
  for (const std::int64_t count : {1, 2, 3, 5, 16, 17, 100, 1000}) {
    for (std::uint64_t key = 0; key < 8; ++key) {
      std::set<std::int64_t> places;
      for (std::int64_t i = 0; i < count; ++i) {
        places.insert(random_bits::permuted(finalized(key), i, count));
      }
      EXPECT_EQ(std::ssize(places), count);
      EXPECT_EQ(*places.begin(), 0);
      EXPECT_EQ(*places.rbegin(), count - 1);
    }
  }
}

// Sums in s32 must stay within it.
TEST(Structure, NoIntegerDominates) {
  Case problem = parse_case("v m=8 n=8 k=8 data=dominant seed=2");
  DataTypes types;
  types.c = types.accumulate = ScalarType::s32;
  types.a = types.b = ScalarType::s8;
  for (const Operand operand : {Operand::a, Operand::c}) {
    const double most = operand == Operand::a ? 127.0 : 0x1p26;
    for (const double value : Data(problem, types).matrix(operand).values) {
      EXPECT_LE(std::abs(value), most);
    }
  }
}

// Matrices of a product have the structures as well.
TEST(Structure, MatricesHaveZeroBlocksAndOrderedRows) {
  Case problem = parse_case("v m=32 n=32 k=40 data=zeros seed=3");
  const reference::Matrix zeros = Data(problem).matrix(Operand::a);
  int whole = 0;
  for (std::int64_t row = 0; row < 32; ++row) {
    const auto begin = zeros.values.begin() + row * 40;
    whole += std::all_of(begin, begin + 40, [](double x) { return x == 0.0; }) ? 1 : 0;
  }
  EXPECT_GE(whole, 1);
  problem.data = Recipe::ordered;
  const Data data(problem);
  const reference::Matrix ordered = data.matrix(Operand::b);
  for (std::int64_t row = 0; row < 40; ++row) {
    const auto begin = ordered.values.begin() + row * 32;
    EXPECT_TRUE(std::is_sorted(begin, begin + 32) ||
                std::is_sorted(begin, begin + 32, std::greater<>()));
    EXPECT_EQ(data.element(Operand::b, row, 7), begin[7]);
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate

// Data of cases of operations of the language.
#include "campaign/generate/data/tensor_data.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::generate {
namespace {

using testing::kGather;
using testing::kRowSums;
using testing::operation_contract;

TEST(TensorData, PositionsRangesAndFiniteTensorsKeepTheirPromise) {
  const contract::Contract contract = operation_contract(kGather);
  std::set<double> lengths;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    Case problem = normalized(contract, parse_case("rows operation=gather tokens=9 words=3 "
                                                   "columns=4 data=special"));
    problem.seed = seed;
    TensorValues values = tensor_values(*contract.tensors, problem);
    for (const double at : values["at"].values) {
      EXPECT_TRUE(at == 0.0 || at == 1.0 || at == 2.0) << at;
    }
    for (const double value : values["table"].values) EXPECT_TRUE(std::isfinite(value));
    for (const double value : values["weight"].values) {
      EXPECT_GE(value, 0.0);
      EXPECT_LE(value, 1.0);
    }
    lengths.insert(values["length"].values.begin(), values["length"].values.end());
  }
  EXPECT_EQ(lengths, (std::set<double>{0, 1, 2, 3, 4}));
}

constexpr const char* kBins = R"toml(
[[operation]]
name    = "bins"
extents = ["n", "bins"]
inputs  = { x = { shape = ["n", 3], integer = true, range = [0, "bins - 1"] }, s = { shape = [2, "n"], sorted = true } }
outputs = { y = { shape = ["bins"] } }
define  = "y[b] = sum(i, k: 1 where x[i,k] == b and s[0,i] <= s[1,i])"

[[variant]]
name      = "histogram"
operation = "bins"
kernel    = "histogram"
types     = { y = "s32" }
arguments = ["x", "s", "y", "n", "bins"]
block     = [32]
grid      = ["bins"]
)toml";

// An output that depends on all rows of a matrix would show nothing else in each case.
TEST(TensorData, EverySecondMatrixHasNoSpecialValue) {
  const contract::Contract contract = operation_contract(kRowSums);
  std::set<bool> first_is_special;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    Case problem = normalized(contract, parse_case("sums operation=row_sums depth=2 rows=40 "
                                                   "columns=5 data=special"));
    problem.seed = seed;
    const std::vector<double> x = tensor_values(*contract.tensors, problem)["x"].values;
    const auto is_special = [](double value) { return !(std::fabs(value) <= 4.0); };
    const auto second = x.begin() + 40 * 5;
    const bool in_first = std::any_of(x.begin(), second, is_special);
    EXPECT_NE(in_first, std::any_of(second, x.end(), is_special)) << seed;
    first_is_special.insert(in_first);
  }
  EXPECT_EQ(first_is_special.size(), 2U);
}

constexpr const char* kRaggedSums = R"toml(
[[operation]]
name    = "ragged_sums"
extents = ["batch", "length", "depth"]
inputs  = { q = { shape = ["batch", "depth"] }, v = { shape = ["batch", "length", "depth"] }, keys = { shape = ["batch"], integer = true, range = [0, "length"] } }
outputs = { y = { shape = ["batch", "depth"] } }
define  = "y[b,d] = q[b,d] * sum(j: v[b,j,d] where j < keys[b])"

[[variant]]
name      = "ragged"
operation = "ragged_sums"
kernel    = "ragged"
arguments = ["q", "v", "keys", "y", "length", "depth"]
block     = [32]
grid      = ["batch"]
)toml";

// A kernel that multiplies padding by 0 is wrong only then.
TEST(TensorData, PaddingHasSpecialValuesForEachSeed) {
  const contract::Contract contract = operation_contract(kRaggedSums);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CaseGenerator cases(contract, {.seed = seed});
    int found = 0;
    for (std::int64_t i = 0; i < 100; ++i) {
      const Case problem = cases.draw(i).problem;
      if (problem.data != Recipe::special) continue;
      auto inputs = tensor_values(*contract.tensors, problem);
      const auto length = static_cast<std::size_t>(tensor::extent(problem, "length"));
      const auto depth = static_cast<std::size_t>(tensor::extent(problem, "depth"));
      const std::vector<double>& v = inputs["v"].values;
      bool is_special = false;
      for (std::size_t at = 0; at < v.size(); ++at) {
        const double keys = inputs["keys"].values[at / (length * depth)];
        const auto row = static_cast<double>(at / depth % length);
        is_special = is_special || (keys > 0.0 && row >= keys && !std::isfinite(v[at]));
      }
      found += is_special ? 1 : 0;
    }
    EXPECT_GE(found, 2) << seed;  // 6 to 20
  }
}

TEST(TensorData, RowsOfSortedTensorsAscend) {
  const contract::Contract contract = operation_contract(kBins);
  for (const char* data : {"normal", "lattice", "special"}) {
    const Case problem = normalized(
        contract, parse_case(std::string("histogram operation=bins n=40 bins=5 data=") + data));
    const TensorValues values = tensor_values(*contract.tensors, problem);
    const std::vector<double>& s = values.find("s")->second.values;
    EXPECT_TRUE(std::is_sorted(s.begin(), s.begin() + 40)) << data;
    EXPECT_TRUE(std::is_sorted(s.begin() + 40, s.end())) << data;
    EXPECT_FALSE(std::is_sorted(s.begin(), s.end())) << data;
  }
}

TEST(TensorData, LimitsAreSumsAndDimensionsMayBeNumbers) {
  const contract::Contract contract = operation_contract(kBins);
  const Case problem = normalized(contract, parse_case("histogram operation=bins n=40 bins=5"));
  const TensorValues values = tensor_values(*contract.tensors, problem);
  const reference::TensorData& x = values.find("x")->second;
  EXPECT_EQ(x.extents, (std::vector<std::int64_t>{40, 3}));
  EXPECT_EQ(std::set<double>(x.values.begin(), x.values.end()), (std::set<double>{0, 1, 2, 3, 4}));
  EXPECT_EQ(lay_out(contract, problem, std::size_t{1} << 20).operands[1].columns, 3);
  const Case none = normalized(contract, parse_case("histogram operation=bins n=2 bins=0"));
  EXPECT_FALSE(can_be_laid_out(contract, none, std::size_t{1} << 20));
}

// The elements that remain keep their values, so that shrinking keeps what fails.
TEST(TensorData, DoesNotDependOnOtherRowsAndColumns) {
  const contract::Contract contract = operation_contract(kRowSums);
  for (const char* data : {"normal", "wide", "lattice"}) {
    const std::string line = std::string("sums operation=row_sums data=") + data;
    const auto large = tensor_values(*contract.tensors,
                                     parse_case(line + " depth=1 rows=7 columns=9 seed=3"))["x"];
    const auto small = tensor_values(*contract.tensors,
                                     parse_case(line + " depth=1 rows=2 columns=5 seed=3"))["x"];
    for (std::size_t i = 0; i < small.values.size(); ++i) {
      EXPECT_EQ(small.values[i], large.values[i / 5 * 9 + i % 5]) << data;
    }
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate

#include "campaign/generate/data/data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/format.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::campaign::generate {
namespace {

constexpr Recipe kRecipes[] = {Recipe::lattice,      Recipe::normal, Recipe::wide,
                               Recipe::cancellation, Recipe::spikes, Recipe::onehot,
                               Recipe::special};

Case problem(Recipe recipe, std::int64_t m, std::int64_t n, std::int64_t k,
             std::uint64_t seed = 1) {
  Case line;
  line.set_value("m", m);
  line.set_value("n", n);
  line.set_value("k", k);
  line.data = recipe;
  line.seed = seed;
  return line;
}

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

reference::Gemm gemm_of(const Case& line, const DataTypes& types = {}) {
  const Data data(line, types);
  return {.a = data.matrix(Operand::a),
          .b = data.matrix(Operand::b),
          .c = data.matrix(Operand::c),
          .alpha = line.number("alpha"),
          .beta = line.number("beta"),
          .type_c = types.c,
          .accumulate = types.accumulate,
          .mean_zero = mean_zero(line.data)};
}

class MatrixOfRecipe : public ::testing::TestWithParam<Recipe> {};

/// Rows are made by vectors, elements one at a time; 1s and special values recur every k or 16
/// columns.
TEST_P(MatrixOfRecipe, HasTheSameElements) {
  using Size = std::array<std::int64_t, 3>;
  constexpr std::array<Size, 4> kSizes = {{{5, 7, 9}, {3, 61, 4}, {40, 1, 1}, {18, 70, 33}}};
  for (const auto& [m, n, k] : kSizes) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const ScalarType type = seed == 3   ? ScalarType::s8
                              : seed == 4 ? ScalarType::u8
                                          : ScalarType::f32;
      const ScalarType sum = seed > 2 ? ScalarType::s32 : ScalarType::f32;
      const Data data(problem(GetParam(), m, n, k, seed), {type, type, sum, sum});
      for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
        const reference::Matrix matrix = data.matrix(operand);
        EXPECT_EQ(matrix.rows, operand == Operand::b ? k : m);
        EXPECT_EQ(matrix.columns, operand == Operand::a ? k : n);
        for (std::int64_t i = 0; i < matrix.rows; ++i) {
          for (std::int64_t j = 0; j < matrix.columns; ++j) {
            EXPECT_TRUE(same(matrix(i, j), data.element(operand, i, j)));
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Data, MatrixOfRecipe, ::testing::ValuesIn(kRecipes),
                         [](const auto& recipe) { return std::string(name(recipe.param)); });

TEST(Data, SmallerProblemHasTheSameElements) {
  for (const Recipe recipe : {Recipe::lattice, Recipe::normal, Recipe::wide}) {
    const Data large(problem(recipe, 200, 300, 5000));
    const Data small(problem(recipe, 3, 4, 5));
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
      for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) {
          EXPECT_EQ(large.element(operand, i, j), small.element(operand, i, j));
        }
      }
    }
  }
  // Where K matters, M and N do not, and the other way round.
  const Data wide(problem(Recipe::cancellation, 90, 80, 40));
  const Data narrow(problem(Recipe::cancellation, 9, 8, 40));
  EXPECT_EQ(wide.element(Operand::a, 3, 33), narrow.element(Operand::a, 3, 33));
  const Data deep(problem(Recipe::spikes, 9, 8, 4000));
  const Data shallow(problem(Recipe::spikes, 9, 8, 40));
  EXPECT_EQ(deep.element(Operand::a, 3, 33), shallow.element(Operand::a, 3, 33));
}

TEST(Data, SeedsAndOperandsDiffer) {
  for (const Recipe recipe : kRecipes) {
    if (recipe == Recipe::onehot) continue;  // few values by design
    const reference::Matrix a = Data(problem(recipe, 40, 40, 40, 1)).matrix(Operand::a);
    const reference::Matrix b = Data(problem(recipe, 40, 40, 40, 1)).matrix(Operand::b);
    const reference::Matrix other = Data(problem(recipe, 40, 40, 40, 2)).matrix(Operand::a);
    const auto equal = [&](const reference::Matrix& x) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < 1600; ++i) count += same(x.values[i], a.values[i]) ? 1 : 0;
      return count;
    };
    EXPECT_LT(equal(b), 160U);
    EXPECT_LT(equal(other), 160U);
  }
}

TEST(Data, EachValueIsRepresentableInItsFormat) {
  for (const ScalarType type :
       {ScalarType::f32, ScalarType::f16, ScalarType::bf16, ScalarType::tf32, ScalarType::f64}) {
    for (const Recipe recipe : kRecipes) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Data data(problem(recipe, 33, 34, 35, seed), {type, type, type, ScalarType::f32});
        for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
          for (const double value : data.matrix(operand).values) {
            EXPECT_TRUE(same(value, reference::round_to(type, value)));
            const bool is_float = same(value, static_cast<float>(value));
            EXPECT_TRUE(type == ScalarType::f64 || is_float);
          }
        }
      }
    }
  }
}

TEST(Data, LatticeHasEachSmallIntegerButZero) {
  std::map<double, int> seen;
  for (const double value : Data(problem(Recipe::lattice, 100, 1, 100)).matrix(Operand::a).values) {
    ++seen[value];
  }
  EXPECT_EQ(seen.size(), 32U);
  EXPECT_EQ(seen.count(0.0), 0U);
  for (const auto& [value, count] : seen) {
    EXPECT_LE(std::abs(value), 16.0);
    EXPECT_NEAR(count, 10000.0 / 32.0, 100.0) << value;
  }
}

TEST(Data, LatticeIsExactInF32FarBeyondK5000) {
  for (const std::int64_t k : {1, 17, 5000, 16384, 16385, 70000}) {
    for (const double alpha : {1.0, -1.0, 1.5}) {
      for (const double beta : {0.0, 1.0, -0.5}) {
        Case line = problem(Recipe::lattice, 2, 3, k);
        line.set_value("alpha", alpha);
        line.set_value("beta", beta);
        EXPECT_EQ(reference::gemm(gemm_of(line)).bound, reference::Bound::exact) << k;
      }
    }
  }
}

TEST(Data, LatticeIsExactInNarrowerFormats) {
  const DataTypes half{ScalarType::f16, ScalarType::f16, ScalarType::f16, ScalarType::f16};
  EXPECT_EQ(reference::gemm(gemm_of(problem(Recipe::lattice, 3, 3, 400), half)).bound,
            reference::Bound::exact);
  const DataTypes mixed{ScalarType::e5m2, ScalarType::e4m3, ScalarType::f16, ScalarType::f32};
  EXPECT_EQ(reference::gemm(gemm_of(problem(Recipe::lattice, 3, 3, 400), mixed)).bound,
            reference::Bound::exact);
}

TEST(Data, LatticeIsExactInTensorCores) {
  for (const ScalarType type : {ScalarType::f16, ScalarType::bf16, ScalarType::e4m3}) {
    Case line = problem(Recipe::lattice, 3, 3, 1000);
    reference::Gemm gemm = gemm_of(line, {type, type, type, ScalarType::f32, true});
    gemm.type_a = gemm.type_b = type;
    gemm.tensor_cores = true;
    EXPECT_EQ(reference::gemm(gemm).bound, reference::Bound::exact) << name(type);
  }
}

TEST(Data, LatticeKeepsTheLastDigitOfNarrowOutput) {
  const DataTypes types{ScalarType::bf16, ScalarType::bf16, ScalarType::bf16, ScalarType::f32};
  const reference::Expected expected =
      reference::gemm(gemm_of(problem(Recipe::lattice, 30, 30, 700), types));
  const auto small = std::count_if(expected.value.values.begin(), expected.value.values.end(),
                                   [](double d) { return std::abs(d) < 256.0; });
  EXPECT_GT(small, 600);  // 900 elements in all
}

TEST(Data, NormalHasMeanZeroAndVarianceOne) {
  double sum = 0.0;
  double squares = 0.0;
  const reference::Matrix a = Data(problem(Recipe::normal, 300, 1, 300)).matrix(Operand::a);
  for (const double value : a.values) {
    sum += value;
    squares += value * value;
    EXPECT_LT(std::abs(value), 3.47);
  }
  EXPECT_NEAR(sum / 90000.0, 0.0, 5.0 / 300.0);  // five standard deviations
  EXPECT_NEAR(squares / 90000.0, 1.0, 0.02);
}

TEST(Data, WideSpreadsExponentsWithoutOverflow) {
  const reference::Expected d = reference::gemm(gemm_of(problem(Recipe::wide, 80, 80, 30)));
  int smallest = 1000;
  int largest = -1000;
  for (const double value : d.value.values) {
    ASSERT_TRUE(std::isfinite(value));
    smallest = std::min(smallest, std::ilogb(value));
    largest = std::max(largest, std::ilogb(value));
  }
  EXPECT_LT(smallest, -45);
  EXPECT_GT(largest, 45);
  EXPECT_GT(smallest, -110);
  EXPECT_LT(largest, 110);
}

TEST(Data, CancellationIsExactForEvenK) {
  for (const std::int64_t k : {2, 6, 100}) {
    const reference::Gemm gemm = gemm_of(problem(Recipe::cancellation, 4, 5, k));
    for (std::int64_t inner = 0; inner < k / 2; ++inner) {
      for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(gemm.a(i, inner), -gemm.a(i, inner + k / 2));
      for (std::int64_t j = 0; j < 5; ++j) EXPECT_EQ(gemm.b(inner, j), gemm.b(inner + k / 2, j));
    }
  }
}

TEST(Data, CancellationOfOddKLeavesTheLastTerm) {
  for (const std::int64_t k : {1, 3, 101}) {
    const reference::Gemm gemm = gemm_of(problem(Recipe::cancellation, 4, 5, k));
    const reference::Expected expected = reference::gemm(gemm);
    for (std::int64_t i = 0; i < 4; ++i) {
      for (std::int64_t j = 0; j < 5; ++j) {
        // The step of the values is about k 2^-44 times the sum of magnitudes, see CertainSums.
        double magnitudes = 0.0;
        for (std::int64_t l = 0; l < k; ++l) magnitudes += std::abs(gemm.a(i, l) * gemm.b(l, j));
        EXPECT_NEAR(expected.value(i, j), gemm.a(i, k - 1) * gemm.b(k - 1, j),
                    static_cast<double>(2 * k) * 0x1p-44 * magnitudes);
        EXPECT_NE(gemm.a(i, k - 1) * gemm.b(k - 1, j), 0.0);
      }
    }
  }
}

TEST(Data, EachKHasOneSpike) {
  for (const std::int64_t m : {1, 2, 7, 64}) {
    const reference::Matrix a = Data(problem(Recipe::spikes, m, 3, 500)).matrix(Operand::a);
    for (std::int64_t k = 0; k < 500; ++k) {
      int spikes = 0;
      for (std::int64_t i = 0; i < m; ++i) {
        EXPECT_GE(std::abs(a(i, k)), 1.0);
        const bool spike = std::abs(a(i, k)) >= 4096.0;
        spikes += spike ? 1 : 0;
        EXPECT_TRUE(spike || std::abs(a(i, k)) <= 2.0);
      }
      EXPECT_EQ(spikes, 1);
    }
  }
}

TEST(Data, OnehotResultsIdentifyElements) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const reference::Expected d =
        reference::gemm(gemm_of(problem(Recipe::onehot, 30, 30, 40, seed)));
    EXPECT_EQ(d.bound, reference::Bound::exact);
    const std::set<double> values(d.value.values.begin(), d.value.values.end());
    EXPECT_EQ(values.size(), 900U);  // m, n <= k: no two elements are made from the same one
  }
}

TEST(Data, OnehotAlwaysUsesTheLastTerm) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Data data(problem(Recipe::onehot, 1, 1, 17, seed));
    EXPECT_EQ((seed % 2 == 0 ? data.element(Operand::a, 0, 16) : data.element(Operand::b, 16, 0)),
              1.0);
  }
}

TEST(Data, SpecialValuesAreSparse) {
  int nans = 0;
  int infinities = 0;
  int largest = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const reference::Gemm gemm = gemm_of(problem(Recipe::special, 70, 90, 40, seed));
    for (const reference::Matrix* matrix : {&gemm.a, &gemm.b, &gemm.c}) {
      for (const double value : matrix->values) {
        nans += std::isnan(value) ? 1 : 0;
        infinities += std::isinf(value) ? 1 : 0;
        largest += std::abs(value) > 1e38 && std::isfinite(value) ? 1 : 0;
      }
    }
    const reference::Expected d = reference::gemm(gemm);
    std::size_t finite = 0;
    for (std::size_t i = 0; i < d.value.values.size(); ++i) {
      finite += std::isfinite(d.value.values[i]) && d.tolerance.values[i] == 0.0 ? 1 : 0;
    }
    EXPECT_GT(finite, d.value.values.size() * 3 / 4);
    EXPECT_LT(finite, d.value.values.size());
  }
  EXPECT_GT(nans, 100);
  EXPECT_GT(infinities, 100);
  EXPECT_GT(largest, 50);
}

TEST(Data, SpecialLeavesOneElementFinite) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (std::int64_t m = 1; m <= 4; ++m) {
      for (std::int64_t n = 1; n <= 4; ++n) {
        Case line = problem(Recipe::special, m, n, 3, seed);
        line.set_value("beta", 1.0);
        const reference::Values d = reference::gemm(gemm_of(line)).value.values;
        EXPECT_TRUE(std::any_of(d.begin(), d.end(), [](double x) { return std::isfinite(x); }))
            << m << " x " << n << ", seed " << seed;
      }
    }
  }
}

TEST(Data, EachRecipeAllowsKOfZero) {
  for (const Recipe recipe : kRecipes) {
    const Data data(problem(recipe, 3, 2, 0));
    EXPECT_TRUE(data.matrix(Operand::a).values.empty());
    EXPECT_TRUE(data.matrix(Operand::b).values.empty());
    EXPECT_EQ(data.matrix(Operand::c).values.size(), 6U);
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate

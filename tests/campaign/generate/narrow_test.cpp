// The recipes in narrow formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "campaign/generate/data/data.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

using T = ScalarType;

const std::vector<DataTypes> kNarrow = {
    {T::f16, T::f16, T::f16, T::f16, false},   {T::f16, T::f16, T::f16, T::f32, true},
    {T::bf16, T::bf16, T::bf16, T::f32, true}, {T::tf32, T::tf32, T::f32, T::f32, true},
    {T::f32, T::f32, T::f16, T::f32, false},   {T::e4m3, T::e4m3, T::f16, T::f32, true},
    {T::e5m2, T::e4m3, T::bf16, T::f32, true}, {T::s8, T::s8, T::s32, T::s32, false},
    {T::u8, T::s8, T::s32, T::s32, false},     {T::u8, T::u8, T::s32, T::s32, false},
};

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

reference::Gemm gemm_of(const Case& line, const DataTypes& types) {
  const Data data(line, types);
  return {.a = data.matrix(Operand::a),
          .b = data.matrix(Operand::b),
          .c = data.matrix(Operand::c),
          .beta = 1.0,
          .type_a = types.a,
          .type_b = types.b,
          .type_c = types.c,
          .accumulate = types.accumulate,
          .tensor_cores = types.tensor_cores};
}

std::string text(const DataTypes& types) {
  return std::string(name(types.a)) + " x " + std::string(name(types.b)) + " -> " +
         std::string(name(types.c)) + " by " + std::string(name(types.accumulate));
}

TEST(NarrowData, EachValueIsRepresentableInItsFormat) {
  for (const DataTypes& types : kNarrow) {
    for (const Recipe recipe : kRecipes) {
      const reference::Gemm gemm = gemm_of(problem(recipe, 20, 21, 40), types);
      const auto expect_in = [&](const reference::Matrix& matrix, ScalarType type) {
        for (const double value : matrix.values) {
          const double stored = reference::round_to(type, value);
          ASSERT_TRUE(value == stored || (std::isnan(value) && std::isnan(stored)))
              << text(types) << ": " << value;
        }
      };
      expect_in(gemm.a, types.a);
      expect_in(gemm.b, types.b);
      expect_in(gemm.c, types.c);
    }
  }
}

TEST(NarrowData, OnlyOnehotHasManyZeros) {
  for (const DataTypes& types : kNarrow) {
    for (const Recipe recipe : {Recipe::lattice, Recipe::normal, Recipe::wide, Recipe::cancellation,
                                Recipe::spikes, Recipe::special}) {
      const reference::Gemm gemm = gemm_of(problem(recipe, 40, 40, 40), types);
      const std::int64_t most = recipe == Recipe::lattice || recipe == Recipe::spikes ? 0 : 40;
      for (const reference::Matrix* matrix : {&gemm.a, &gemm.b, &gemm.c}) {
        EXPECT_LE(std::count(matrix->values.begin(), matrix->values.end(), 0.0), most)
            << text(types) << ", recipe " << static_cast<int>(recipe);
      }
    }
  }
}

TEST(NarrowData, OnlySpecialValuesOverflow) {
  for (const DataTypes& types : kNarrow) {
    for (const Recipe recipe : {Recipe::lattice, Recipe::normal, Recipe::wide, Recipe::cancellation,
                                Recipe::spikes, Recipe::onehot}) {
      for (const std::int64_t m : {1, 16}) {
        const std::int64_t k = 2048;
        const reference::Expected d = reference::gemm(gemm_of(problem(recipe, m, 30, k, 7), types));
        const double largest = reference::format(types.c).largest;
        EXPECT_TRUE(std::all_of(d.value.values.begin(), d.value.values.end(),
                                [&](double x) { return std::abs(x) <= largest; }))
            << text(types) << ", recipe " << static_cast<int>(recipe) << ", m = " << m;
      }
    }
  }
}

TEST(NarrowData, SumsInS32ExceedTheIntegersOfF32) {
  const DataTypes types{T::s8, T::s8, T::s32, T::s32, true};
  const reference::Gemm gemm = gemm_of(problem(Recipe::lattice, 20, 20, 5), types);
  const reference::Expected d = reference::gemm(gemm);
  const auto lost = [](double sum) { return static_cast<double>(static_cast<float>(sum)) != sum; };
  EXPECT_GE(std::count_if(d.value.values.begin(), d.value.values.end(), lost), 40) << "of 400";
}

TEST(NarrowData, EachKHasOneSpike) {
  for (const DataTypes& types : kNarrow) {
    const reference::Matrix a = Data(problem(Recipe::spikes, 16, 3, 200), types).matrix(Operand::a);
    for (std::int64_t k = 0; k < 200; ++k) {
      int spikes = 0;
      for (std::int64_t i = 0; i < 16; ++i) spikes += std::abs(a(i, k)) >= 32.0 ? 1 : 0;
      EXPECT_EQ(spikes, 1) << text(types);
    }
  }
}

TEST(NarrowData, CancellationIsExactIfAnOperandIsSigned) {
  for (const DataTypes& types : kNarrow) {
    if (types.a == T::u8 && types.b == T::u8) continue;
    reference::Gemm gemm = gemm_of(problem(Recipe::cancellation, 5, 6, 30), types);
    gemm.beta = 0.0;
    for (const double value : reference::gemm(gemm).value.values) {
      EXPECT_NEAR(value, 0.0, 1e-12) << text(types);
    }
  }
}

TEST(NarrowData, OnehotSumsAreExact) {
  for (const DataTypes& types : kNarrow) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const reference::Gemm gemm = gemm_of(problem(Recipe::onehot, 30, 30, 40, seed), types);
      const reference::Expected d = reference::gemm(gemm);
      EXPECT_EQ(d.bound, reference::Bound::exact) << text(types);
      for (std::int64_t i = 0; i < 30; ++i) {
        double sum = gemm.c(i, 0);
        for (std::int64_t k = 0; k < 40; ++k) sum += gemm.a(i, k) * gemm.b(k, 0);
        EXPECT_EQ(d.value(i, 0), reference::round_to(types.c, sum)) << text(types);
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate

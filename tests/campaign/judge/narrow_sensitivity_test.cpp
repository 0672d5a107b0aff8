// These tests determine up to which K each recipe shows one missing term of a 16- or 8-bit kernel.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "campaign/judge/judge.hpp"
#include "reference/format.hpp"
#include "tests/campaign/judge/cases.hpp"

namespace warpcheck::campaign::judge {
namespace {

using T = ScalarType;

struct NarrowKernel {
  const char* name;
  generate::DataTypes types;
};

const std::vector<NarrowKernel>& kernels() {
  static const std::vector<NarrowKernel> all = {
      {"f16", {T::f16, T::f16, T::f16, T::f32, true}},
      {"f16 by f16", {T::f16, T::f16, T::f16, T::f16, true}},
      {"bf16", {T::bf16, T::bf16, T::bf16, T::f32, true}},
      {"s8", {T::s8, T::s8, T::s32, T::s32, false}},
      {"e4m3 to f16", {T::e4m3, T::e4m3, T::f16, T::f32, true}},
      {"e4m3", {T::e4m3, T::e4m3, T::e4m3, T::f32, true}},
      {"e5m2 to bf16", {T::e5m2, T::e5m2, T::bf16, T::f32, true}},
  };
  return all;
}

/// Returns a problem whose result has 32 x 32 elements.
reference::Gemm problem_of(Recipe recipe, const generate::DataTypes& types, std::int64_t k) {
  const generate::Data data(case_of(recipe, 32, 32, k, 5), types);
  return {.a = data.matrix(generate::Operand::a),
          .b = data.matrix(generate::Operand::b),
          .c = {},
          .type_a = types.a,
          .type_b = types.b,
          .type_c = types.c,
          .accumulate = types.accumulate,
          .tensor_cores = types.tensor_cores,
          .mean_zero = generate::mean_zero(recipe)};
}

double narrow_sensitivity(Recipe recipe, const generate::DataTypes& types, std::int64_t k) {
  const reference::Gemm problem = problem_of(recipe, types, k);
  return sensitivity(problem, reference::gemm(problem));
}

TEST(NarrowSensitivity, TheLatticeShowsEveryTermUpToK2048) {
  for (const NarrowKernel& kernel : kernels()) {
    for (const Recipe recipe : {Recipe::lattice, Recipe::special}) {
      for (const std::int64_t k : {1, 32, 500, 2000, 2048}) {
        // Sums of 2048 and more are no longer exact in f16.
        if (k == 2048 && kernel.types.accumulate == T::f16) continue;
        EXPECT_EQ(narrow_sensitivity(recipe, kernel.types, k), 1.0) << kernel.name << ", k = " << k;
      }
    }
  }
}

TEST(NarrowSensitivity, IsOneForSignedDataIfSumsAreFinerThanC) {
  for (const std::size_t kernel : {0, 2, 3}) {
    for (const Recipe recipe :
         {Recipe::normal, Recipe::wide, Recipe::cancellation, Recipe::spikes}) {
      EXPECT_EQ(narrow_sensitivity(recipe, kernels()[kernel].types, 2048), 1.0)
          << kernels()[kernel].name << ", " << text(recipe);
    }
  }
}

TEST(NarrowSensitivity, CoarseSumsHideTermsExceptOnTheLattice) {
  // The bound grows with K for f16 sums and for 8-bit products, of which tensor cores keep 13 bits.
  for (const std::size_t kernel : {1, 4, 5, 6}) {
    const generate::DataTypes& types = kernels()[kernel].types;
    for (const Recipe recipe :
         {Recipe::normal, Recipe::wide, Recipe::cancellation, Recipe::spikes}) {
      EXPECT_EQ(narrow_sensitivity(recipe, types, 32), 1.0)
          << kernels()[kernel].name << text(recipe);
      EXPECT_EQ(narrow_sensitivity(recipe, types, 2048), 0.0)
          << kernels()[kernel].name << text(recipe);
    }
    // A spike remains visible up to a larger K than normal data.
    EXPECT_GT(narrow_sensitivity(Recipe::spikes, types, 128), 0.9) << kernels()[kernel].name;
    EXPECT_LT(narrow_sensitivity(Recipe::normal, types, 128), 0.9) << kernels()[kernel].name;
  }
}

TEST(NarrowSensitivity, OnehotShowsOnlyItsNonzeroTerms) {
  for (const NarrowKernel& kernel : kernels()) {
    EXPECT_EQ(narrow_sensitivity(Recipe::onehot, kernel.types, 128), 32.0 / 128.0) << kernel.name;
  }
}

/// Returns the share of terms whose omission the judge detects. Each sum is exact and is rounded
/// once to the type of D.
double share_of_detected_omissions(const reference::Gemm& problem) {
  const reference::Expected expected = reference::gemm(problem);
  const reference::Matrix& a = problem.a;
  const reference::Matrix& b = problem.b;
  std::vector<double> sums;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < b.columns; ++j) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < a.columns; ++k) sum += a(i, k) * b(k, j);
      sums.push_back(sum);
      EXPECT_TRUE(expected.accepts(i, j, reference::round_to(problem.type_c, sum)));
    }
  }
  std::int64_t omissions = 0;
  for (std::int64_t k = 0; k < a.columns; ++k) {
    bool detected = false;
    for (std::int64_t at = 0; at < a.rows * b.columns && !detected; ++at) {
      const std::int64_t i = at / b.columns;
      const std::int64_t j = at % b.columns;
      const double without = sums[static_cast<std::size_t>(at)] - a(i, k) * b(k, j);
      detected = !expected.accepts(i, j, reference::round_to(problem.type_c, without));
    }
    omissions += detected ? 1 : 0;
  }
  return static_cast<double>(omissions) / static_cast<double>(a.columns);
}

TEST(NarrowSensitivity, IsALowerBoundForDetectedOmissions) {
  for (const NarrowKernel& kernel : kernels()) {
    for (const Recipe recipe : {Recipe::lattice, Recipe::normal, Recipe::spikes}) {
      for (const std::int64_t k : {128, 2000}) {
        const reference::Gemm problem = problem_of(recipe, kernel.types, k);
        EXPECT_GE(share_of_detected_omissions(problem),
                  sensitivity(problem, reference::gemm(problem)))
            << kernel.name << ", " << text(recipe) << ", k = " << k;
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::campaign::judge

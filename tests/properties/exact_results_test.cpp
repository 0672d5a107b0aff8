// Properties whose results are exact, on correct kernels.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/properties/result_of_property.hpp"

namespace warpcheck::campaign {
namespace {

using checks::CheckResult;
using testing::Call;
using testing::Kernel;
using testing::result_of_property;
using testing::right;

/// Scaled sums exceed the largest number of f32, where a kernel stores infinity.
TEST(Property, ScalingByPowersOfTwoMayOverflow) {
  const CheckResult result = result_of_property("power-of-two-scaling-is-exact", right,
                                                "fake m=5 n=4 k=6 alpha=2e37 seed=2");
  EXPECT_TRUE(result.launched);
  EXPECT_TRUE(result.evidence.empty()) << result.evidence.front().finding.message;
}

/// A factor is applied in one rounding or in two, which the compiler may choose for each element.
TEST(Property, FactorsMayRoundDifferentlyAtAnEdge) {
  const Kernel mixed = [](Call& call) {
    std::vector<float> before;
    for (std::int64_t i = 0; i < call.m * call.ldc; ++i) {
      const bool is_element = i / call.ldc + 1 < call.m || i % call.ldc < call.n;
      before.push_back(is_element && call.beta != 0.0F ? call.load("C", i) : 0.0F);
    }
    const float alpha = std::exchange(call.alpha, 1.0F);
    const float beta = std::exchange(call.beta, 0.0F);
    right(call);
    for (std::int64_t i = 0; i < call.m; ++i) {
      for (std::int64_t j = 0; j < call.n; ++j) {
        const std::int64_t at = i * call.ldc + j;
        const float sum = call.load("C", at);
        const float old = before[static_cast<std::size_t>(at)];
        const bool is_edge = i + 1 == call.m || j + 1 == call.n;
        call.store("C", at,
                   is_edge ? std::fma(alpha, sum, beta * old) : std::fma(beta, old, alpha * sum));
      }
    }
  };
  for (const char* name : {"permuting-rows-permutes-rows", "permuting-slices-permutes-slices"}) {
    for (int seed = 0; seed < 20; ++seed) {
      const CheckResult result = result_of_property(
          name, mixed, fmt::format("fake m=3 n=4 k=33 alpha=0.7 beta=-1.3 seed={}", seed), {});
      EXPECT_TRUE(result.evidence.empty()) << result.evidence.front().finding.message;
    }
  }
}

}  // namespace
}  // namespace warpcheck::campaign

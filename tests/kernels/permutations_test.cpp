// Permuting slices permutes the outputs: rows, heads and experts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/kernels/law_on_source.hpp"

namespace warpcheck::campaign {
namespace {

// Each row of x times the matrix of its expert.
constexpr const char* kExperts = R"cu(/* warpcheck
[[operation]]
name    = "expert_gemm"
extents = ["heads", "tokens", "experts", "inner"]
inputs.x      = { shape = ["heads", "tokens", "inner"] }
inputs.w      = { shape = ["experts", "inner"] }
inputs.expert = { shape = ["tokens"], integer = true }
outputs.y = { shape = ["heads", "tokens"] }
define  = "y[h,t] = sum(k: x[h,t,k] * w[expert[t], k])"

[[variant]]
name      = "experts"
kernel    = "experts"
operation = "expert_gemm"
arguments = ["x", "w", "expert", "y", "heads", "tokens", "experts", "inner"]
block     = [64]
grid      = ["ceil_div(heads * tokens, 64)"]
requires  = ["heads <= 8 and tokens <= 64 and inner <= 64"]
INVARIANT
*/
__global__ void experts(const float* x, const float* w, const int* expert, float* y, int heads,
                        int tokens, int experts, int inner) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= heads * tokens) return;
  const int token = row % tokens, head = row / tokens;
  float sum = 0;
  for (int i = 0; i < inner; ++i) {
    const int k = (PLACE + i) % inner;
    sum += x[row * inner + k] * w[expert[token] * inner + k];
  }
  y[row] = ADDED + sum;
}
)cu";

class PermutingSlices : public LawOnSource {
 protected:
  CheckedLaw check_source(const std::string& invariant, const std::string& place,
                          const std::string& added = "0") {
    std::string source = replaced_all(kExperts, "INVARIANT", invariant);
    source = replaced_all(replaced_all(source, "PLACE", place), "ADDED", added);
    return LawOnSource::check_source(source, "permuting-slices-permutes-slices");
  }
};

constexpr const char* kAll = "batch_invariant = [\"heads\", \"tokens\", \"experts\"]";

TEST_F(PermutingSlices, HoldsIfEachSliceIsSummedAlike) { expect_holds(check_source(kAll, "0")); }

TEST_F(PermutingSlices, FailsIfThePromisedBitsDependOnTheNumber) {
  for (const char* place : {"token", "head", "expert[token]"}) {
    const CheckedLaw checked = check_source(kAll, place);
    ASSERT_TRUE(checked.finding) << place;
    EXPECT_EQ(checked.finding->kind, FindingClass::wrong_result);
    EXPECT_THAT(checked.finding->message, testing::HasSubstr(" first, but ")) << place;
  }
}

// Rows at an edge may be summed in another order than the others.
TEST_F(PermutingSlices, WithoutAPromiseSumsMayHaveAnyOrder) {
  for (const char* place : {"token", "head", "expert[token]"}) {
    expect_holds(check_source("", place));
  }
}

TEST_F(PermutingSlices, WithoutAPromiseMoreThanRoundingIsFound) {
  for (const char* added : {"token", "head", "expert[token]"}) {
    EXPECT_TRUE(check_source("", "0", added).finding) << added;
  }
}

}  // namespace
}  // namespace warpcheck::campaign

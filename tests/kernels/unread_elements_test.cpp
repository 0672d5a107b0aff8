// Elements that a result does not read stay out of it: masked values, other rows, unused experts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/kernels/law_on_source.hpp"

namespace warpcheck::campaign {
namespace {

// Causal weighted sums: row i of y is the sum of the rows of v up to i, each times its weight.
constexpr const char* kCausal = R"cu(/* warpcheck
[[operation]]
name    = "causal"
extents = ["heads", "length", "depth"]
inputs.s  = { shape = ["heads", "length", "length"] PROMISE }
inputs.v  = { shape = ["heads", "length", "depth"] PROMISE }
outputs.y = { shape = ["heads", "length", "depth"] }
define    = "DEFINITION"

[[variant]]
name      = "causal"
kernel    = "causal"
operation = "causal"
arguments = ["s", "v", "y", "heads", "length", "depth"]
block     = [64]
grid      = ["ceil_div(heads * length * depth, 64)"]
requires  = ["heads <= 4 and length <= 24 and depth <= 8"]
*/
__global__ void causal(const float* s, const float* v, float* y, int heads, int length,
                       int depth) {
  const int at = blockIdx.x * 64 + threadIdx.x;
  if (at >= heads * length * depth) return;
  const int d = at % depth, i = at / depth % length, head = at / depth / length;
  float sum = 0;
  for (int j = 0; j < END; ++j) {
    const float weight = j <= i ? s[(head * length + i) * length + j] : 0.0f;
    sum += weight * v[(head * length + j) * depth + d];
  }
  y[at] = sum OTHERS;
}
)cu";

constexpr const char* kLeftOut = "y[h,i,d] = sum(j: s[h,i,j] * v[h,j,d] where j <= i)";
constexpr const char* kEither =
    "y[h,i,d] = either(sum(j: s[h,i,j] * v[h,j,d] where j <= i), "
    "sum(j: select(j <= i, s[h,i,j], 0) * v[h,j,d]))";

class UnreadElements : public LawOnSource {
 protected:
  CheckedLaw check_source(const char* end, const char* definition = kLeftOut,
                          const char* promise = "", const char* others = "") {
    std::string source = replaced_all(replaced_all(kCausal, "END", end), "DEFINITION", definition);
    source = replaced_all(replaced_all(source, "PROMISE", promise), "OTHERS", others);
    return LawOnSource::check_source(source, "unread-elements-stay-out");
  }
};

TEST_F(UnreadElements, StayOutIfTermsAreLeftOut) { expect_holds(check_source("i + 1")); }

TEST_F(UnreadElements, ReachTheResultIfTermsAreMultipliedByZero) {
  const CheckedLaw checked = check_source("length");
  ASSERT_TRUE(checked.finding);
  EXPECT_EQ(checked.finding->kind, FindingClass::wrong_result);
  EXPECT_THAT(checked.finding->message, testing::HasSubstr("does not read"));
}

TEST_F(UnreadElements, OfOtherRowsReachTheResultIfMultipliedByZero) {
  EXPECT_TRUE(check_source("i + 1", kLeftOut, "", "+ 0.0f * v[0]").finding);
  EXPECT_TRUE(check_source("i + 1", kLeftOut, ", nan = false", "+ 0.0f * v[0]").finding);
}

TEST_F(UnreadElements, MayReachAResultThatIsEither) {
  expect_holds(check_source("length", kEither));
}

TEST_F(UnreadElements, AreFiniteIfTheContractStatesIt) {
  const CheckedLaw checked = check_source("length", kLeftOut, ", finite = true");
  EXPECT_FALSE(checked.finding) << checked.text;
  EXPECT_EQ(checked.launched, 0);
}

}  // namespace
}  // namespace warpcheck::campaign

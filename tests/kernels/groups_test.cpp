// Groups without members change nothing: experts with ends, limits or sizes, and with numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/kernels/law_on_source.hpp"

namespace warpcheck::campaign {
namespace {

// Rows, sorted by expert, times a number for each expert and column. `ends` has the end of each
// expert, or its limits, or its size.
constexpr const char* kGroups = R"cu(/* warpcheck
[[operation]]
name    = "grouped"
extents = ["tokens", "experts", "inner"]
inputs.x    = { shape = ["tokens", "inner"] }
inputs.w    = { shape = ["experts", "inner"] }
inputs.ends = { shape = [SHAPE], integer = true, range = [0, "tokens"], sorted = SORTED }
outputs.y     = { shape = ["tokens"] }
outputs.total = { shape = ["experts"] }
define  = """
DEFINITION
  y[t] = sum(k: x[t,k] * w[min(expert[t], experts - 1), k] where expert[t] < experts)
  total[e] = sum(k: w[e,k])
"""

[[variant]]
name      = "grouped"
kernel    = "grouped"
operation = "grouped"
arguments = ["x", "w", "ends", "y", "total", "tokens", "experts", "inner"]
block     = [64]
grid      = ["ceil_div(max(tokens, experts), 64)"]
requires  = ["experts >= 1 and experts <= 32 and tokens <= 128 and inner <= 64"]
INVARIANT
*/
__global__ void grouped(const float* x, const float* w, const int* ends, float* y, float* total,
                        int tokens, int experts, int inner) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < experts) {
    total[i] = 0;
    for (int k = 0; k < inner; ++k) total[i] += w[i * inner + k];
  }
  if (i >= tokens) return;
  int expert = 0;
  KERNEL
  float sum = 0;
  for (int k = 0; k < inner && expert < experts; ++k) {
    const int at = (PLACE + k) % inner;
    sum += x[i * inner + at] * w[expert * inner + at];
  }
  y[i] = sum;
}
)cu";

struct Kind {
  const char* shape;
  const char* sorted;
  const char* definition;
  const char* kernel;
};

constexpr Kind kEnds = {R"("experts")", "true",
                        "expert[t in tokens] = sum(e: 1 where ends[e] <= t)",
                        "while (expert < experts && ends[expert] <= i) ++expert;"};
constexpr Kind kLimits = {R"("experts + 1")", "true",
                          "expert[t in tokens] = sum(e in experts: 1 where ends[e + 1] <= t)",
                          "while (expert < experts && ends[expert + 1] <= i) ++expert;"};
constexpr Kind kSizes = {
    R"("experts")", "false",
    "last[e in experts] = sum(f: ends[f] where f <= e)\n"
    "expert[t in tokens] = sum(e: 1 where last[e] <= t)",
    "for (int end = 0; expert < experts; ++expert) if ((end += ends[expert]) > i) break;"};

class EmptyGroups : public LawOnSource {
 protected:
  CheckedLaw check_source(const Kind& kind, const std::string& place,
                          const std::string& invariant = "") {
    std::string source = replaced_all(kGroups, "SHAPE", kind.shape);
    source =
        replaced_all(replaced_all(source, "SORTED", kind.sorted), "DEFINITION", kind.definition);
    source = replaced_all(replaced_all(source, "KERNEL", kind.kernel), "PLACE", place);
    return LawOnSource::check_source(replaced_all(source, "INVARIANT", invariant),
                                     "empty-groups-change-nothing");
  }
};

constexpr const char* kInvariant = "batch_invariant = [\"experts\"]";

TEST_F(EmptyGroups, ChangeNothingIfGroupsHaveEndsLimitsOrSizes) {
  for (const Kind& kind : {kEnds, kLimits, kSizes}) {
    expect_holds(check_source(kind, "0", kInvariant));
  }
}

TEST_F(EmptyGroups, ChangeBitsThatDependOnTheNumberOfGroups) {
  for (const Kind& kind : {kEnds, kLimits, kSizes}) {
    for (const char* place : {"experts", "expert"}) {
      const CheckedLaw checked = check_source(kind, place, kInvariant);
      ASSERT_TRUE(checked.finding) << kind.shape << place;
      EXPECT_THAT(checked.finding->message, testing::HasSubstr(" empty group"));
    }
  }
}

// A kernel may choose its tiles by the number of groups.
TEST_F(EmptyGroups, WithoutAPromiseMayChangeTheOrderOfSums) {
  for (const Kind& kind : {kEnds, kLimits, kSizes}) {
    expect_holds(check_source(kind, "experts"));
  }
}

TEST_F(EmptyGroups, WithoutAPromiseMoreThanRoundingIsFound) {
  Kind skips_two = kEnds;
  skips_two.kernel = "while (expert < experts && ends[expert] <= i && expert < 2) ++expert;";
  EXPECT_TRUE(check_source(skips_two, "0").finding);
}

}  // namespace
}  // namespace warpcheck::campaign

#include "report/console/exploration_text.hpp"

#include <gmock/gmock.h>

#include "tests/report/sample_exploration.hpp"

namespace warpcheck::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using workflows::explore::Correctness;
using workflows::explore::Exploration;

std::string text_of(const Exploration& exploration) {
  return exploration_text(exploration, Paint(false));
}

TEST(ExplorationText, StatesTheConditionAndItsFailures) {
  const std::string text = text_of(sample_exploration());
  EXPECT_THAT(text, HasSubstr("mine: correct if and only if k % 8 == 0 and aligned(b, 16)\n"));
  EXPECT_THAT(text,
              HasSubstr("  without k % 8 == 0: 9 of 9 cases fail (out-of-bounds, wrong-result)\n"
                        "    misaligned at /kernels/mine.cu:12: 16-byte load from byte 4 of B\n"
                        "    mine m=1 n=1 k=3 "));
  EXPECT_THAT(text, HasSubstr("  without aligned(b, 16): 5 of 6 cases fail (misaligned)\n"));
  EXPECT_THAT(text, HasSubstr("  inside: 300 cases passed\n"));
  EXPECT_THAT(text, HasSubstr("  also correct outside where k == 0: 4 of 6 cases\n"));
  EXPECT_THAT(text, HasSubstr("  700 cases with extents up to 2048, seed 7, 1.5 s\n"));
}

TEST(ExplorationText, ComparesWithTheContract) {
  Exploration exploration = sample_exploration();
  EXPECT_THAT(
      text_of(exploration),
      HasSubstr(
          "`requires` is too weak: m == n and m <= 1048560; this case of its domain fails:\n"));
  EXPECT_THAT(text_of(exploration), HasSubstr("`requires` is needlessly strict: m == n: "));
  EXPECT_THAT(text_of(exploration), HasSubstr("not examined: m <= 1048560 "));
  exploration.declared.too_weak.reset();
  exploration.declared.needless.clear();
  EXPECT_THAT(text_of(exploration), HasSubstr("`requires` states the same domain\n"));
}

TEST(ExplorationText, StatesThatNoConditionIsNeeded) {
  Exploration exploration;
  exploration.variant = "mine";
  exploration.correct = Correctness::always;
  EXPECT_THAT(text_of(exploration), HasSubstr("mine: correct for all cases, no condition\n"));
  EXPECT_THAT(text_of(exploration), Not(HasSubstr("requires")));
}

TEST(ExplorationText, ShowsCounterexamplesIfNoConditionIsFound) {
  Exploration exploration = sample_exploration();
  exploration.correct = Correctness::unknown;
  exploration.counterexamples = {*exploration.conditions[0].smallest};
  const std::string text = text_of(exploration);
  EXPECT_THAT(text,
              HasSubstr("mine: no simple condition found; correct in 25 % of random cases\n"));
  EXPECT_THAT(text, HasSubstr("explains most failures, but not these:\n    misaligned at "));
}

}  // namespace
}  // namespace warpcheck::report

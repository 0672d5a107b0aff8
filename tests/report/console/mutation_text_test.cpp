#include "report/console/mutation_text.hpp"

#include <gmock/gmock.h>

#include "tests/report/sample_mutation.hpp"

namespace warpcheck::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MutationText, ScoreExcludesEquivalentAndUnreachableMutants) {
  const std::string shown = mutation_text(sample_mutation(), Paint(false));
  EXPECT_THAT(shown, HasSubstr("k: 4 of 43 mutants, 500 cases each"));
  EXPECT_THAT(shown, HasSubstr("score 50.0 %"));
  EXPECT_THAT(shown, testing::ContainsRegex("barrier-dropped +1 +1 +1 +0 +0 +0 +0 +100.0 % +3.0"));
  EXPECT_THAT(shown, testing::ContainsRegex("store-dropped +2 +1 +0 +0 +0 +1 +0 +- +-"));
}

TEST(MutationText, ShowsSourceAndPtxOfSurvivors) {
  const std::string shown = mutation_text(sample_mutation(), Paint(false));
  EXPECT_THAT(shown, HasSubstr("survived: fma-to-mul at k.cu:20: 12 cases reached it\n"
                               "  >   20 |   the line\n"
                               "    - fma x\n"
                               "    + mul x\n"));
  EXPECT_THAT(shown, Not(HasSubstr("bar.sync")));  // killed
}

TEST(MutationText, ListsEquivalentAndUnreachableMutants) {
  const std::string shown = mutation_text(sample_mutation(), Paint(false));
  EXPECT_THAT(shown, HasSubstr("equivalent: the same accesses and the same bytes on all cases:\n"
                               "  fma-to-mul at k.cu:20\n    - fma y\n    + mul y\n"));
  EXPECT_THAT(shown, testing::ContainsRegex("unreachable: [^\n]*:\n  store-dropped at k.cu:20\n"));
}

}  // namespace
}  // namespace warpcheck::report

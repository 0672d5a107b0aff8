#include "report/console/bisection_text.hpp"

#include <gtest/gtest.h>

namespace warpcheck::report {
namespace {

using workflows::bisect::Bisection;

TEST(BisectionText, PrintsFirstBadCommit) {
  Bisection bisection;
  bisection.bad = {{"2a8de7da7a", "Drop a test", "A. Author <a@example.org>", "Sat Nov 21 2026"}};
  bisection.steps = 4;
  bisection.skipped = 1;
  bisection.diff_command = "warpcheck diff OLD NEW";
  EXPECT_EQ(bisection_text(bisection, Paint(false)),
            "first bad commit: 2a8de7da7a, after 4 steps, of which 1 could not run\n"
            "  subject    Drop a test\n"
            "  author     A. Author <a@example.org>\n"
            "  date       Sat Nov 21 2026\n"
            "  compare    warpcheck diff OLD NEW\n");
}

TEST(BisectionText, ListsCandidatesIfSomeCommitsCannotRun) {
  Bisection bisection;
  bisection.bad = {{"aaaa", "One", "", ""}, {"bbbb", "Two", "", ""}};
  bisection.steps = 1;
  EXPECT_EQ(bisection_text(bisection, Paint(false)),
            "the first bad commit is one of 2, because the others cannot run; 1 step\n"
            "  aaaa One\n"
            "  bbbb Two\n");
}

}  // namespace
}  // namespace warpcheck::report

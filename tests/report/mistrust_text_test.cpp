#include "report/mistrust_text.hpp"

#include <gtest/gtest.h>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

TEST(MistrustText, SaysWhyAPassProvesNothing) {
  EXPECT_EQ(mistrust_text(passing_variant()), "");
  EXPECT_EQ(mistrusted_pass(passing_variant()), "");
  EXPECT_EQ(mistrusted_pass(mistrusted_variant()),
            "mistrusted: it passed, but the data could not have exposed a defect");
  EXPECT_EQ(mistrusted_pass(variant_with_unexecuted_lines()),
            "mistrusted: it passed, but lines 41-44, 52 of kernels/sgemm_tail.cu, line 7 of "
            "kernels/tile.cuh were never executed");
}

TEST(MistrustText, SaysThatNoCaseLaunchedTheKernel) {
  campaign::VariantReport none_ran = mistrusted_variant();
  none_ran.cases = 0;
  none_ran.empty = 3;
  EXPECT_EQ(mistrust_text(none_ran),
            "the output is empty in every case, so that nothing was launched");
  none_ran.stopped = 3;
  EXPECT_EQ(mistrust_text(none_ran), "the time limit stopped every case while it was running");
}

}  // namespace
}  // namespace warpcheck::report

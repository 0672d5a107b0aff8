#include "report/console/fuzz_text.hpp"

#include <gtest/gtest.h>

namespace warpcheck::report {
namespace {

workflows::fuzz::FuzzProgress progress() {
  workflows::fuzz::FuzzProgress now;
  now.variant = "sgemm";
  now.activity = "searching";
  now.seconds = 75.2;
  now.cases = 7520;
  now.corpus = 41;
  now.edges = 19;
  now.edges_total = 24;
  now.findings = 1;
  now.error_over_bound = 0.314;
  return now;
}

TEST(FuzzText, ProgressIsOneLine) {
  EXPECT_EQ(fuzz_line(progress()),
            "sgemm: 7520 cases, 100/s, corpus 41, edges 19 of 24, 1 finding, worst error 0.31 "
            "of its bound, searching");
}

TEST(FuzzText, OmitsMeasuresThatTheDeviceLacks) {
  workflows::fuzz::FuzzProgress now = progress();
  now.edges = now.edges_total = 0;
  now.error_over_bound.reset();
  now.findings = 2;
  EXPECT_EQ(fuzz_line(now), "sgemm: 7520 cases, 100/s, corpus 41, 2 findings, searching");
}

TEST(FuzzText, SummaryCountsFindingsOfEarlierSearches) {
  workflows::fuzz::FuzzReport report;
  report.variant = "sgemm";
  report.reached = progress();
  report.interrupted = true;
  report.known = 1;
  report.fixed = 2;
  report.left_out = 1;
  report.dropped = 3;
  report.never = {{"x.cu", 12, "bra", 0}};
  EXPECT_EQ(fuzz_summary(report),
            "sgemm: 7520 cases, 100/s, corpus 41, edges 19 of 24, 1 finding, worst error 0.31 of "
            "its bound in 75.2 s, interrupted\n"
            "  1 finding from an earlier search: still failing\n"
            "  2 findings from an earlier search: no longer failing\n"
            "  1 case of the corpus skipped: outside the contract's domain\n"
            "  3 cases removed from the corpus: no feature of their own\n"
            "  one direction never taken at x.cu:12\n");
}

}  // namespace
}  // namespace warpcheck::report

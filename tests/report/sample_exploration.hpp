// An exploration for the tests of its reports.
#pragma once

#include "workflows/explore/exploration.hpp"

namespace warpcheck::report {

/// A kernel that requires k % 8 == 0 and aligned(b, 16), under a contract that requires m == n.
[[nodiscard]] inline workflows::explore::Exploration sample_exploration() {
  using namespace workflows::explore;
  FailingCase failing;
  failing.problem.variant = "mine";
  failing.problem.set_value("k", 3);
  failing.finding.kind = FindingClass::misaligned;
  failing.finding.message = "16-byte load from byte 4 of B";
  failing.finding.source.file = "/kernels/mine.cu";
  failing.finding.source.line = 12;
  Exploration exploration;
  exploration.variant = "mine";
  exploration.correct = Correctness::exactly;
  exploration.conditions = {{"k % 8 == 0", 9, 0, failing, {"out-of-bounds", "wrong-result"}},
                            {"aligned(b, 16)", 5, 1, {}, {"misaligned"}}};
  exploration.exceptions = {{"k == 0", 4, 6}};
  exploration.declared = {{"m == n", "m <= 1048560"}, failing, {"m == n"}, {"m <= 1048560"}};
  exploration.share = 0.25;
  exploration.inside = 300;
  exploration.cases = 700;
  exploration.max_size = 2048;
  exploration.seed = 7;
  exploration.seconds = 1.5;
  return exploration;
}

}  // namespace warpcheck::report

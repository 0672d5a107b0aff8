// Findings of `warpcheck exec` as text.
#pragma once

#include <ostream>
#include <string>

#include "report/failure_block.hpp"
#include "report/paint.hpp"
#include "report/report.hpp"
#include "runtime/events/event.hpp"

namespace warpcheck::report {

/// Prints findings and notes while the program runs, and at its end the reason if it failed without
/// one.
class ExecConsole final : public Report {
 public:
  ExecConsole(std::ostream& out, Paint paint, BlockStyle style)
      : out_(out), paint_(paint), style_(style) {}

  /// Known findings are not printed.
  void found(const campaign::FindingReport& finding) override;
  void noted(const campaign::FindingReport& note) override;
  void not_checked(const contract::TargetError& error) override;
  void evaluated(const Requirements& requirements) override;

  /// Prints the parts of a kernel or of the host that warpcheck could not execute.
  void unsupported(const std::string& variant, const campaign::UnsupportedForm& form);

 private:
  std::ostream& out_;
  Paint paint_;
  BlockStyle style_;
};

/// A line for each kernel with launches that are over a budget: "exec: not executed: 8 of 10
/// launches of add(float*, int)".
[[nodiscard]] std::string skipped_launches(const runtime::TotalsEvent& totals);

/// "exec: 3 runs of kernels, 704 warp instructions in 0.02 s: 1 finding".
[[nodiscard]] std::string exec_summary(const runtime::TotalsEvent& totals,
                                       const campaign::CampaignReport& campaign);

}  // namespace warpcheck::report

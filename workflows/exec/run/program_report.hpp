// The results of a program as those of a campaign, so that all reports show them: a variant for
// each kernel, whose cases are its runs, and one for the calls of the host.
#pragma once

#include <string>
#include <utility>

#include "campaign/report.hpp"
#include "workflows/exec/run/run_program.hpp"
#include "workflows/exec/suppressions/suppressions.hpp"

namespace warpcheck::workflows::exec {

/// Collects the events of a program. Adds the source lines of the host's calls.
class ProgramReport {
 public:
  ProgramReport(Strictness strict, Suppressions suppressions)
      : strict_(strict), suppressions_(std::move(suppressions)) {}

  /// The finding as it was added: known if a suppression matches it. It is a note if its grade is,
  /// if only code of the Toolkit uses the undefined value or has the race, or if an earlier launch
  /// was not executed to its end, so that the memory is not that of a run on a GPU.
  struct Added {
    campaign::FindingReport report;
    bool is_note = false;
  };
  Added add(runtime::FindingEvent event);
  /// The form, and the variant that needs it.
  struct AddedForm {
    std::string variant;
    campaign::UnsupportedForm form;
  };
  AddedForm add(runtime::UnsupportedEvent event);
  /// The program cannot run here.
  contract::TargetError add(const runtime::ErrorEvent& event);

  [[nodiscard]] const Suppressions& suppressions() const { return suppressions_; }

  /// The result of the whole program.
  [[nodiscard]] campaign::CampaignReport finish(const ProgramResult& result, double seconds);

 private:
  campaign::VariantReport& variant(const std::string& kernel);

  Strictness strict_;
  Suppressions suppressions_;
  campaign::CampaignReport campaign_;
};

}  // namespace warpcheck::workflows::exec

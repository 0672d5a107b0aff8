#include "device/virtual/reported_findings.hpp"

#include <algorithm>
#include <utility>

#include "device/virtual/common_cause.hpp"

namespace warpcheck::device {

void ReportedFindings::keep_new(const machine::Program& program, std::vector<Finding>& findings,
                                std::vector<Finding>& repeated) {
  remove_explained_notes(findings);
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    const bool is_new = remember(finding);
    (is_new ? kept : repeated).push_back(std::move(finding));
  }
  join_races(program, kept);
  findings = std::move(kept);
}

/// Adds a finding. Returns false if it is known. Findings without a place differ if their messages
/// differ.
bool ReportedFindings::remember(const Finding& finding) {
  const bool known = std::any_of(all_.begin(), all_.end(), [&](const Finding& one) {
    return same_places(one, finding) &&
           (finding.source.ptx_line != 0 || one.message == finding.message);
  });
  if (!known) all_.push_back(finding);
  return !known;
}

}  // namespace warpcheck::device

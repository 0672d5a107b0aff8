// The demands of a gate's policy, with their names and the reasons for which they are not met.
#pragma once

#include <string>

#include "report/requirement.hpp"
#include "workflows/gate/judgement.hpp"

namespace warpcheck::report {

/// `judgement`: the judgement of the results.
[[nodiscard]] Requirements gate_requirements(const workflows::gate::GatePolicy& policy,
                                             const workflows::gate::GateResults& results,
                                             const workflows::gate::Judgement& judgement);

/// "race until 2026-12-31: the epilogue lacks a barrier"
[[nodiscard]] std::string known_failure_text(const workflows::gate::KnownFailure& known);

/// A share in percent, rounded down to a tenth, so that a printed value that reaches a minimum does
/// reach it.
[[nodiscard]] std::string tenths(double share);

/// " (mine.cu:41)"; empty if the line is not known.
[[nodiscard]] std::string finding_place(const campaign::FindingReport& found);

}  // namespace warpcheck::report

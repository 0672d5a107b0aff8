// Console output of `gate`: at most a dozen lines if it passes.
#pragma once

#include <span>
#include <string>

#include "report/paint.hpp"
#include "workflows/gate/judgement.hpp"

namespace warpcheck::report {

/// The smallest value of each required measure, the known failures that still occur, a line for
/// each breach, and the last line: "gate passed" or "gate failed: 2 reasons".
[[nodiscard]] std::string gate_text(const workflows::gate::GatePolicy& policy,
                                    std::span<const workflows::gate::GateOutcome> outcomes,
                                    const workflows::gate::Judgement& judgement, double seconds,
                                    const Paint& paint);

/// "race until 2026-12-31: the epilogue lacks a barrier"
[[nodiscard]] std::string known_failure_text(const workflows::gate::KnownFailure& known);

}  // namespace warpcheck::report

// What is told of a gate: a dozen lines at most where it is passed.
#pragma once

#include <span>
#include <string>

#include "report/paint.hpp"
#include "workflows/gate/judgement.hpp"

namespace warpcheck::report {

/// The least of what was demanded, the known failures that still show, a line for each breach, and
/// the end: "gate passed" or "gate failed: 2 breaches".
[[nodiscard]] std::string gate_text(const workflows::gate::GatePolicy& policy,
                                    std::span<const workflows::gate::GateOutcome> outcomes,
                                    const workflows::gate::Judgement& judgement, double seconds,
                                    const Paint& paint);

/// "race until 2026-12-31: the epilogue lacks a barrier"
[[nodiscard]] std::string known_failure_text(const workflows::gate::KnownFailure& known);

}  // namespace warpcheck::report

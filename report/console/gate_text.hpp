// Console output of `gate`: at most a dozen lines if it passes.
#pragma once

#include <string>

#include "report/paint.hpp"
#include "workflows/gate/judgement.hpp"

namespace warpcheck::report {

/// The smallest value of each required measure, the known failures that still occur, the files
/// without a contract, a line for each error of `totals` and each breach, and the last line: "gate
/// passed" or "gate failed: 2 reasons".
[[nodiscard]] std::string gate_text(const workflows::gate::GatePolicy& policy,
                                    const workflows::gate::GateResults& results,
                                    const workflows::gate::Judgement& judgement,
                                    const campaign::CampaignReport& totals, double seconds,
                                    const Paint& paint);

}  // namespace warpcheck::report

// Notes on grids, launches and indices beyond their limits that a contract admits and no case has.
#pragma once

#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/run/runner.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::campaign::checks {

struct LimitOptions {
  bool strict_launch = false;  // cases beyond the limits of a launch are generated
  bool sparse = false;         // the device's memory holds matrices of any size
};

struct Limit {
  Case problem;            // an example of a case beyond the limit
  run::Evidence evidence;  // evidence of a note that names the condition to add to the contract
};

[[nodiscard]] std::vector<Limit> limits_of(const contract::Variant& variant,
                                           const LimitOptions& options);

}  // namespace warpcheck::campaign::checks

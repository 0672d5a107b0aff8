// A profile: the instruction counts of some cases of a variant, summed, with what is needed to
// derive metrics, occupancy and coverage from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/coverage/source_coverage.hpp"
#include "contract/compile/resources.hpp"
#include "device/device.hpp"

namespace warpcheck::workflows::profile {

struct Profile {
  std::string variant;
  std::string source_file;
  std::string source;  // the text of source_file
  std::string architecture;
  std::vector<campaign::Case> cases;
  std::vector<device::InstructionCounts> counts;  // sums over all cases
  campaign::coverage::SourceCoverage coverage;    // coverage by all cases
  std::uint64_t compulsory_bytes = 0;  // each matrix moved once: operands read, the result written
  device::Launch launch;               // launch of the first case
  std::optional<contract::Resources> resources;
  std::string no_resources;  // reason why `resources` is empty
};

}  // namespace warpcheck::workflows::profile

// Results of the baseline, the kernel without a defect, on each case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "campaign/run_case.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "workflows/mutate/compared_device.hpp"

namespace warpcheck::workflows::mutate {

struct CaseRecord {
  campaign::generate::GeneratedCase generated;
  std::vector<JobRecord> jobs;
  std::vector<bool> reached;  // indexed by line of the PTX
  LaunchForms forms;

  [[nodiscard]] bool reaches(std::size_t line) const {
    return line < reached.size() && reached[line];
  }
};

/// Generates the cases of a campaign, runs them, and records the results and the references. Throws
/// InputError if one of them fails, and EnvironmentError if the device cannot execute one of them.
[[nodiscard]] std::vector<CaseRecord> record_cases(
    const contract::Variant& variant, device::Device& device, const device::Program& program,
    const campaign::PropertyRotation& rotation, std::int64_t cases, std::uint64_t seed,
    unsigned jobs, campaign::run::ReferenceCache& references);

}  // namespace warpcheck::workflows::mutate

// Devices that record the jobs of the baseline and compare the jobs of a mutant with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/forwarding_device.hpp"
#include "ptx/analysis/reachable.hpp"

namespace warpcheck::workflows::mutate {

/// Results of one job of the baseline, the kernel without a defect.
struct JobRecord {
  std::optional<std::uint64_t> digest;  // digest of the accesses
  std::uint64_t contents = 0;           // fingerprint of the buffers and of the printed text
  std::uint64_t warp_instructions = 0;
};

/// Forms of the launches of each kernel, by its name. Only parameters that the contract gives as
/// literals have a value.
using LaunchForms = std::map<std::string, std::set<ptx::analysis::LaunchForm>>;

/// Records the jobs of one case of the baseline.
class RecordingDevice final : public device::ForwardingDevice {
 public:
  RecordingDevice(device::Device& device, const contract::Variant& variant)
      : ForwardingDevice(device), variant_(variant) {}

  device::Outcome run(const device::Program& program, const device::Job& job) override;

  std::vector<JobRecord> jobs;
  std::vector<bool> reached;  // indexed by PTX line; true: a warp executed its instruction
  LaunchForms forms;

 private:
  const contract::Variant& variant_;
};

/// Compares the jobs of one case of a mutant with those of the baseline. A job that runs far longer
/// than that of the baseline ends in a timeout.
class ComparingDevice final : public device::ForwardingDevice {
 public:
  ComparingDevice(device::Device& device, const std::vector<JobRecord>& baseline, bool compare)
      : ForwardingDevice(device), baseline_(baseline), same_(compare) {}

  device::Outcome run(const device::Program& program, const device::Job& job) override;

  /// Returns true if all jobs had the same results as those of the baseline.
  [[nodiscard]] bool same() const { return same_ && next_ == baseline_.size(); }

 private:
  const std::vector<JobRecord>& baseline_;
  std::size_t next_ = 0;
  bool same_;
};

}  // namespace warpcheck::workflows::mutate

// The virtual device, listening: what the right kernel does in each job of a case is recorded, and
// what a mutant does in the same job is compared with it.
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
#include "workflows/mutate/operators/unreachable.hpp"

namespace warpcheck::workflows::mutate {

/// One job of the right kernel.
struct JobRecord {
  std::optional<std::uint64_t> digest;  // of accesses
  std::uint64_t contents = 0;           // a fingerprint of the buffers, and of what was printed
  std::uint64_t warp_instructions = 0;
};

/// How kernels, by name, were launched: the parameters that the contract gives as literals are
/// known.
using LaunchForms = std::map<std::string, std::set<operators::LaunchForm>>;

/// For one case of the right kernel.
class RecordingDevice final : public device::ForwardingDevice {
 public:
  RecordingDevice(device::Device& device, const contract::Variant& variant)
      : ForwardingDevice(device), variant_(variant) {}

  device::Outcome run(const device::Program& program, const device::Job& job) override;

  std::vector<JobRecord> jobs;
  std::vector<bool> reached;  // by line of the PTX: some warp came to its instruction
  LaunchForms forms;

 private:
  const contract::Variant& variant_;
};

/// For one case of a mutant. A job that runs far longer than the right kernel's ends in a timeout.
class ComparingDevice final : public device::ForwardingDevice {
 public:
  ComparingDevice(device::Device& device, const std::vector<JobRecord>& right, bool compare)
      : ForwardingDevice(device), right_(right), same_(compare) {}

  device::Outcome run(const device::Program& program, const device::Job& job) override;

  /// Whether all jobs did what the right kernel's did.
  [[nodiscard]] bool same() const { return same_ && next_ == right_.size(); }

 private:
  const std::vector<JobRecord>& right_;
  std::size_t next_ = 0;
  bool same_;
};

}  // namespace warpcheck::workflows::mutate

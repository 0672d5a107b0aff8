// A device that adds evidence to findings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "device/forwarding_device.hpp"

namespace warpcheck::campaign::run {

/// Runs a job with a finding that may have more evidence once more, with Job::track_origins, unless
/// it takes long. Jobs that watch a wrong byte are tracked, too.
class EvidenceDevice final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    // A device that cannot count instructions tracks nothing.
    const bool is_short = warp_instructions_ != 0 && warp_instructions_ <= kMostInstructions;
    if (job.watch && is_short) return inner().run(program, tracked(job));
    device::Outcome outcome = inner().run(program, job);
    warp_instructions_ = outcome.warp_instructions;
    if (outcome.warp_instructions > kMostInstructions) return outcome;
    if (std::none_of(outcome.findings.begin(), outcome.findings.end(), has_more)) {
      return outcome;
    }
    device::Outcome again = inner().run(program, tracked(job));
    for (Finding& finding : outcome.findings) {
      if (!has_more(finding)) continue;
      const auto same =
          std::find_if(again.findings.begin(), again.findings.end(),
                       [&](const Finding& other) { return same_places(finding, other); });
      if (same == again.findings.end()) continue;
      finding.origin = std::move(same->origin);
      finding.overflow = std::move(same->overflow);
      finding.groups = std::move(same->groups);
    }
    return outcome;
  }

 private:
  [[nodiscard]] static device::Job tracked(const device::Job& job) {
    device::Job tracked = job;
    tracked.count = tracked.cover = tracked.digest = false;
    tracked.track_origins = true;
    return tracked;
  }
  [[nodiscard]] static bool has_more(const Finding& finding) {
    switch (finding.kind) {
      case FindingClass::barrier_divergence:
        return finding.grade != Grade::different_barriers;
      case FindingClass::uninitialized_read:
      case FindingClass::invalid_call:
      case FindingClass::out_of_bounds:
        return true;
      default:
        return false;
    }
  }

  std::uint64_t warp_instructions_ = 0;  // warp instructions of the last job
  // A job with more warp instructions does not run again.
  static constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 18;
};

}  // namespace warpcheck::campaign::run

// A device that records the coverage and the grids of its launches.
#pragma once

#include <vector>

#include "device/forwarding_device.hpp"

namespace warpcheck::campaign::run {

/// The coverage and the grids of the launches of a case.
struct Observation {
  device::Coverage coverage;  // sum over the launches; empty if the device does not measure it
  std::vector<Dim3> grids;    // one grid for each launch
};

/// Requests coverage for each job. Not thread-safe.
class WatchedDevice final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

  /// Returns and resets the observation of the runs since the last call.
  [[nodiscard]] Observation take();

 private:
  Observation seen_;
};

/// Adds the coverage of another run of the same program, which may have launched other kernels.
void add(device::Coverage& sum, const device::Coverage& part);

/// Returns `part` without counts of 0 that add nothing to `sum`.
[[nodiscard]] device::Coverage without_unexecuted(device::Coverage part,
                                                  const device::Coverage& sum);

}  // namespace warpcheck::campaign::run

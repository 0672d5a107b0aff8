// A device that notes what its launches did.
#pragma once

#include <vector>

#include "device/forwarding_device.hpp"

namespace warpcheck::properties::run {

/// What the launches of a case did.
struct Observation {
  device::Coverage coverage;  // their sum; empty where the device cannot tell
  std::vector<Dim3> grids;    // of every launch
};

/// Asks a device for coverage whatever is asked of it. For one thread.
class WatchedDevice final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

  /// Of the runs since this was asked last.
  [[nodiscard]] Observation take();

 private:
  Observation seen_;
};

/// The sums of two runs of one program, which may have launched different kernels of it.
void add(device::Coverage& sum, const device::Coverage& part);

}  // namespace warpcheck::properties::run

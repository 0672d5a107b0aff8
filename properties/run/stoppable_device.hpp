// A device whose jobs end early when a condition is met.
#pragma once

#include <utility>

#include "device/forwarding_device.hpp"

namespace warpcheck::properties::run {

/// Runner::run() throws StoppedRun for a job that the condition ends.
class StoppableDevice final : public device::ForwardingDevice {
 public:
  StoppableDevice(device::Device& inner, device::StopCondition stop)
      : ForwardingDevice(inner), stop_(std::move(stop)) {}

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    const bool stops = stop_.deadline || stop_.requested != nullptr;
    if (!stops) return inner().run(program, job);  // without a copy of its buffers
    device::Job stoppable = job;
    stoppable.stop = stop_;
    return inner().run(program, stoppable);
  }

 private:
  device::StopCondition stop_;
};

}  // namespace warpcheck::properties::run

// A device whose running launches end when the process is interrupted.
#pragma once

#include "base/process/interruption.hpp"
#include "device/forwarding_device.hpp"

namespace warpcheck::device {

/// run() throws Interrupted for a job that an interruption ended.
class InterruptibleDevice final : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] Outcome run(const Program& program, const Job& job) override {
    if (!is_interruptible()) return inner().run(program, job);
    Job stoppable = job;
    stoppable.stop.requested = &interruptible();
    Outcome outcome = inner().run(program, stoppable);
    if (outcome.stopped) throw Interrupted();
    return outcome;
  }
};

}  // namespace warpcheck::device

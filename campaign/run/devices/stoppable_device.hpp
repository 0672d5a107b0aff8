// A device whose jobs end early when a condition is met, or after a part of their budget.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "device/forwarding_device.hpp"

namespace warpcheck::campaign::run {

/// Runner::run() throws StoppedRun for a job that the condition ends. Around another such device,
/// the earlier deadline holds, the request of the inner one, and the product of the divisors.
class StoppableDevice final : public device::ForwardingDevice {
 public:
  /// Launches have 1 / `budget_divisor` of their budget of instructions, or of their time on a GPU.
  StoppableDevice(device::Device& inner, device::StopCondition stop,
                  std::uint64_t budget_divisor = 1)
      : ForwardingDevice(inner), stop_(std::move(stop)), budget_divisor_(budget_divisor) {}

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    device::Job stoppable = job;
    if (stop_.deadline) {
      stoppable.stop.deadline =
          std::min(job.stop.deadline.value_or(*stop_.deadline), *stop_.deadline);
    }
    if (stop_.requested != nullptr) stoppable.stop.requested = stop_.requested;
    stoppable.budget_divisor *= budget_divisor_;
    return inner().run(program, stoppable);
  }

 private:
  device::StopCondition stop_;
  std::uint64_t budget_divisor_;
};

}  // namespace warpcheck::campaign::run

// A device whose jobs end early when a condition is met, or after a part of their budget.
#pragma once

#include <cstdint>
#include <utility>

#include "device/forwarding_device.hpp"

namespace warpcheck::properties::run {

/// Runner::run() throws StoppedRun for a job that the condition ends.
class StoppableDevice final : public device::ForwardingDevice {
 public:
  /// Launches may execute 1 / `budget_divisor` of the instructions of their job's budget.
  StoppableDevice(device::Device& inner, device::StopCondition stop,
                  std::uint64_t budget_divisor = 1)
      : ForwardingDevice(inner), stop_(std::move(stop)), budget_divisor_(budget_divisor) {}

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    device::Job stoppable = job;
    stoppable.stop = stop_;
    stoppable.instruction_budget /= budget_divisor_;
    return inner().run(program, stoppable);
  }

 private:
  device::StopCondition stop_;
  std::uint64_t budget_divisor_;
};

}  // namespace warpcheck::properties::run

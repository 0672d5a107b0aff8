// A device that counts the work of its jobs and stops them when a budget is used up.
#pragma once

#include <chrono>
#include <cstdint>

#include "device/forwarding_device.hpp"

namespace warpcheck::campaign::run {

/// The work that a task may cause on a device: one unit for each warp instruction, and for each 32
/// bytes of the buffers of a job. Work is a count, so that a task ends at the same place on every
/// machine. The brake is not: it ends a task that takes far longer than its work should.
class WorkBudget {
 public:
  WorkBudget(std::uint64_t most, double brake_seconds);

  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t left() const { return most_ - used_; }
  [[nodiscard]] std::chrono::steady_clock::time_point brake() const { return brake_; }

  /// Returns true if no further job may run.
  [[nodiscard]] bool is_used_up();

  /// Returns true if the brake has ended the task, whose result then depends on the machine.
  [[nodiscard]] bool is_braked() const { return is_braked_; }

  /// Adds the work of a job. A device that counts no instructions takes long for timeouts alone,
  /// which are 1/32 of the budget each.
  void charge(const device::Job& job, const device::Outcome& outcome);

 private:
  std::uint64_t most_;
  std::uint64_t used_ = 0;
  std::chrono::steady_clock::time_point brake_;
  bool is_braked_ = false;
};

/// Launches have at most the instructions that are left. One that needs more, and each job after
/// it, is stopped: Runner::run() throws StoppedRun. One thread at a time may use the device.
class MeteredDevice final : public device::ForwardingDevice {
 public:
  /// Keeps references.
  MeteredDevice(device::Device& inner, WorkBudget& budget)
      : ForwardingDevice(inner), budget_(budget) {}

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

 private:
  WorkBudget& budget_;
};

}  // namespace warpcheck::campaign::run

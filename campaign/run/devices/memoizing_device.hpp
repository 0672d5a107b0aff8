// A device that runs equal jobs of one case once.
#pragma once

#include <optional>

#include "device/forwarding_device.hpp"

namespace warpcheck::campaign::run {

/// Keeps the outcome of the first job and returns it for each equal one: the properties of a case
/// compare other runs with the one that is compared with the reference. Only if equal jobs have
/// equal outcomes, and if the job is not so large that a copy of it matters.
class MemoizingDevice final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

 private:
  struct Known {
    const device::Program* program;
    device::Job job;
    device::Outcome outcome;
  };

  std::optional<Known> first_;
  bool has_run_ = false;
};

}  // namespace warpcheck::campaign::run

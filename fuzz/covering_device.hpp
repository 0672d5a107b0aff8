// A device that reports the control flow of its warps to libFuzzer.
#pragma once

#include <memory>
#include <utility>

#include "device/forwarding_device.hpp"

namespace warpcheck::fuzz {

/// Runs jobs on `inner` with coverage and counts it in libFuzzer's extra counters: one for each
/// edge, each edge on which threads of a warp diverged, and each outcome of each condition, per
/// program. libFuzzer clears the counters before each input.
class CoveringDevice final : public device::ForwardingDevice {
 public:
  explicit CoveringDevice(std::unique_ptr<device::Device> inner)
      : ForwardingDevice(*inner), owned_(std::move(inner)) {}

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

 private:
  std::unique_ptr<device::Device> owned_;
};

}  // namespace warpcheck::fuzz

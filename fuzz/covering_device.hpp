// A device that tells libFuzzer which ways the warps of its kernels went.
#pragma once

#include <memory>
#include <utility>

#include "device/forwarding_device.hpp"

namespace warpcheck::fuzz {

/// Runs jobs on `inner` with their coverage, and counts it in libFuzzer's extra counters: one for
/// each edge, each edge on which threads of a warp parted, and each outcome of each condition, by
/// the program that it belongs to. libFuzzer clears them before each input.
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

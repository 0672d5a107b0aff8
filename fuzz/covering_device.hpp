// A device that tells libFuzzer which ways the warps of its kernels went.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"

namespace warpcheck::fuzz {

/// Runs jobs on `inner` with their coverage, and counts it in libFuzzer's extra counters: one for
/// each edge, each edge on which threads of a warp parted, and each outcome of each condition, by
/// the program that it belongs to. libFuzzer clears them before each input.
class CoveringDevice final : public device::Device {
 public:
  explicit CoveringDevice(std::unique_ptr<device::Device> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] std::string_view name() const override { return inner_->name(); }
  [[nodiscard]] std::string description() const override { return inner_->description(); }
  [[nodiscard]] bool is_sparse() const override { return inner_->is_sparse(); }
  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string& ptx,
                                                            const std::string& file) override {
    return inner_->load(ptx, file);
  }
  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

 private:
  std::unique_ptr<device::Device> inner_;
};

}  // namespace warpcheck::fuzz

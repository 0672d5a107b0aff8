// A device that notes what its launches did.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace warpcheck::properties {

/// What the launches of a case did.
struct Observation {
  device::Coverage coverage;  // their sum; empty where the device cannot tell
  std::vector<Dim3> grids;    // of every launch
};

/// Asks a device for coverage whatever is asked of it. For one thread.
class WatchedDevice final : public device::Device {
 public:
  explicit WatchedDevice(device::Device& device) : device_(device) {}

  [[nodiscard]] std::string_view name() const override { return device_.name(); }
  [[nodiscard]] std::string description() const override { return device_.description(); }
  [[nodiscard]] bool is_sparse() const override { return device_.is_sparse(); }
  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string& ptx,
                                                            const std::string& file) override {
    return device_.load(ptx, file);
  }
  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

  /// Of the runs since this was asked last.
  [[nodiscard]] Observation take();

 private:
  device::Device& device_;
  Observation seen_;
};

/// The sums of two runs of one program, which may have launched different kernels of it.
void add(device::Coverage& sum, const device::Coverage& part);

}  // namespace warpcheck::properties

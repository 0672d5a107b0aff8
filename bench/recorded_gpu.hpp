// A GPU whose outcomes were recorded on the virtual device.
#pragma once

#include <cstdint>
#include <filesystem>

#include "device/forwarding_device.hpp"

namespace warpcheck::bench {

/// The same for jobs with the same buffers, scalars and extents.
[[nodiscard]] std::uint64_t fingerprint_of(const device::Job& job);

/// Takes the bytes that a job leaves in its buffers from a folder, or records them there by running
/// the job on another device. Places the buffers in an image and checks it, as the cuda device
/// does.
class RecordedGpu final : public device::ForwardingDevice {
 public:
  RecordedGpu(device::Device& recorded, std::filesystem::path folder)
      : ForwardingDevice(recorded), folder_(std::move(folder)) {}

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] bool is_sparse() const override { return false; }
  [[nodiscard]] bool is_deterministic() const override { return false; }
  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

 private:
  void record(const device::Program& program, const device::Job& job,
              const std::filesystem::path& file);

  std::filesystem::path folder_;
};

}  // namespace warpcheck::bench

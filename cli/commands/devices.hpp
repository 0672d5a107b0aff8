// The device that a command runs on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/options/arguments.hpp"
#include "device/device.hpp"

namespace warpcheck::cli {

struct ChosenDevice {
  std::unique_ptr<device::Device> device;
  std::string sentence;  // names the device, and the reason if the user left the choice
};

/// Opens the device that the options select. `in_flight`: jobs that run at once; `block_threads`:
/// host threads for the blocks of each job on the virtual device. Throws EnvironmentError if `cuda`
/// is selected and there is no GPU.
[[nodiscard]] ChosenDevice choose_device(const Common& common, unsigned in_flight,
                                         unsigned block_threads);

/// Cases of a campaign at once without `--jobs`: one per processor on the virtual device. On a GPU
/// twice as many, because a thread that waits for the GPU leaves its processor to another one.
[[nodiscard]] unsigned campaign_jobs(const Common& common, const device::Device& device);
/// The most that campaign_jobs() returns, whatever the device.
[[nodiscard]] unsigned most_campaign_jobs(const Common& common);

/// The name and the description: "virtual, PTX on the CPU, all checks on".
[[nodiscard]] std::string named(const device::Device& device);

/// A line for each device: its description, or why it is not available.
[[nodiscard]] std::vector<std::string> describe_devices();

}  // namespace warpcheck::cli

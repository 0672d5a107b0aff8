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

/// The name and the description: "virtual, PTX on the CPU, all checks on".
[[nodiscard]] std::string named(const device::Device& device);

/// A line for each device: its description, or why it is not available.
[[nodiscard]] std::vector<std::string> describe_devices();

}  // namespace warpcheck::cli

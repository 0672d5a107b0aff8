// Which device a command runs on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/options/arguments.hpp"
#include "device/device.hpp"

namespace warpcheck::cli {

struct ChosenDevice {
  std::unique_ptr<device::Device> device;
  std::string sentence;  // which one, and why where the user left the choice
};

/// The device that the user asked for; `in_flight` jobs will be run at once, each over
/// `block_threads` host threads where the device has such. Throws EnvironmentError where `cuda` is
/// asked for and there is none.
[[nodiscard]] ChosenDevice choose_device(const Common& asked, unsigned in_flight,
                                         unsigned block_threads);

/// A line for each device: what it is, or why it is not there.
[[nodiscard]] std::vector<std::string> describe_devices();

}  // namespace warpcheck::cli

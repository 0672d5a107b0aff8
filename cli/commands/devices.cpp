#include "cli/commands/devices.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck::cli {
namespace {

ChosenDevice described(std::unique_ptr<device::Device> device, const std::string& why) {
  std::string sentence =
      fmt::format("device: {}, {}{}", device->name(), device->description(), why);
  return {std::move(device), std::move(sentence)};
}

}  // namespace

ChosenDevice choose_device(const Common& common, unsigned in_flight, unsigned block_threads) {
  const auto cuda = [&] { return device::cuda::open({.workers = in_flight}); };
  const auto virtual_device = [&] {
    device::VirtualOptions options = common.virtual_device;
    options.host_threads = block_threads;
    return device::make_virtual_device(options);
  };
  if (common.device == "cuda") return described(cuda(), "");
  if (common.device == "virtual") return described(virtual_device(), "");
  try {
    return described(cuda(), "");
  } catch (const EnvironmentError& error) {
    return described(virtual_device(), fmt::format(" (cuda is not available: {})", error.what()));
  }
}

std::string named(const device::Device& device) {
  return fmt::format("{}, {}", device.name(), device.description());
}

std::vector<std::string> describe_devices() {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("virtual  {}", device::make_virtual_device()->description()));
  try {
    lines.push_back(fmt::format("cuda     {}", device::cuda::open()->description()));
  } catch (const EnvironmentError& error) {
    lines.push_back(fmt::format("cuda     not available: {}", error.what()));
  }
  return lines;
}

}  // namespace warpcheck::cli

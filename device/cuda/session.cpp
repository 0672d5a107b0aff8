#include "device/cuda/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "base/diagnostic.hpp"
#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/driver/gpu_name.hpp"
#include "device/cuda/driver/kernel_launch.hpp"
#include "device/tensor_map.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::device::cuda {
namespace {

constexpr std::size_t kMostModules = 64;
constexpr std::size_t kLeastArena = std::size_t{16} << 20;

}  // namespace

Session::Session(const DriverApi& driver, int ordinal, std::function<bool()> abandoned)
    : driver_(driver), abandoned_(std::move(abandoned)) {
  int count = 0;
  int result = driver_.init(0);
  if (result == kSuccess) result = driver_.device_get_count(&count);
  if (result != kSuccess) {
    throw EnvironmentError(fmt::format("no usable NVIDIA GPU: {}", describe(driver_, result)));
  }
  if (ordinal >= count) {
    throw EnvironmentError(
        fmt::format("no NVIDIA GPU number {}: this machine has {}", ordinal, count));
  }
  devices_ = count;
  result = driver_.device_get(&device_, ordinal);
  if (result != kSuccess) {
    throw EnvironmentError(
        fmt::format("NVIDIA GPU number {} cannot be used: {}", ordinal, describe(driver_, result)));
  }
}

std::string Session::description() const { return describe_gpu(driver_, device_); }

std::uint64_t Session::gpus_of_model() const {
  std::uint64_t gpus = 0;
  for (int ordinal = 0; ordinal < std::min(devices_, 64); ++ordinal) {
    int device = 0;
    if (driver_.device_get(&device, ordinal) != kSuccess) continue;
    if (gpu_model(driver_, device) == gpu_model(driver_, device_))
      gpus |= std::uint64_t{1} << ordinal;
  }
  return gpus;
}

int Session::enter_context() {
  if (context_ != nullptr) return kSuccess;
  int result = driver_.device_primary_ctx_retain(&context_, device_);
  if (result == kSuccess) result = driver_.ctx_set_current(context_);
  if (result == kSuccess) result = driver_.event_create(&start_, 0);
  if (result == kSuccess) result = driver_.event_create(&stop_, 0);
  return result;
}

Reply Session::load(std::uint64_t program, const std::string& text) {
  int result = enter_context();
  if (result != kSuccess) {
    return {Reply::Status::unusable, result, 0, describe(driver_, result), 0.0};
  }
  Loaded loaded{program, nullptr, ptx::uses_global_variables(text), ptx::cooperative_entries(text)};
  std::array<char, 16384> log{};
  std::array<int, 2> options = {constant::kJitErrorLogBuffer,
                                constant::kJitErrorLogBufferSizeBytes};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver takes sizes as pointers
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  result = driver_.module_load_data_ex(&loaded.module, text.c_str(), options.size(), options.data(),
                                       values.data());
  if (result != kSuccess) {
    const bool wrong_text = result == kInvalidPtx || result == kInvalidImage;
    return {wrong_text ? Reply::Status::rejected : Reply::Status::unusable, result, 0,
            fmt::format("{}\n{}", log.data(), describe(driver_, result)), 0.0};
  }
  loaded_.push_front(loaded);
  if (loaded_.size() > kMostModules) {
    driver_.module_unload(loaded_.back().module);
    loaded_.pop_back();
  }
  return {};
}

int Session::reserve(std::size_t bytes) {
  if (bytes <= arena_bytes_) return kSuccess;
  if (arena_ != 0) driver_.mem_free(arena_);
  arena_ = 0;
  arena_bytes_ = 0;
  const std::size_t wanted = std::max(kLeastArena, bytes + bytes / 4);
  int result = driver_.mem_alloc(&arena_, wanted);
  if (result == kSuccess) arena_bytes_ = wanted;
  return result;
}

/// Copies from page-locked memory are twice as fast; they also work if the driver cannot lock it.
void Session::lock(std::span<std::byte> image) {
  if (locked_ == image.data() || image.empty()) return;
  release();
  if (driver_.mem_host_register(image.data(), image.size(), 0) == kSuccess) locked_ = image.data();
}

void Session::release() {
  if (locked_ != nullptr) driver_.mem_host_unregister(locked_);
  locked_ = nullptr;
}

int Session::wait() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  for (;;) {
    const int result = driver_.stream_query(nullptr);
    if (result != kNotReady) return result;
    if (Clock::now() - begin < std::chrono::milliseconds(2)) continue;
    if (abandoned_()) _exit(EXIT_FAILURE);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

namespace {

/// Replaces the project's format of a map by that of the driver.
int encode_for_driver(const DriverApi& driver, DeviceAddress address,
                      std::vector<std::byte>& bytes) {
  if (bytes.size() != kTensorMapBytes) return kInvalidValue;
  const auto map = decode(std::span<const std::byte, kTensorMapBytes>(bytes));
  return map ? encode_tensor_map(driver, *map, address, bytes) : kInvalidValue;
}

}  // namespace

int Session::make_call(const KernelCall& call, const Loaded& loaded, double& seconds) {
  Function function = nullptr;
  int result = driver_.module_get_function(&function, loaded.module, call.entry.c_str());
  if (result != kSuccess) return result;

  std::vector<std::vector<std::byte>> storage;
  for (const Parameter& parameter : call.parameters) {
    std::vector<std::byte>& bytes = storage.emplace_back(parameter.bytes);
    if (parameter.is_tensor_map) {
      result = encode_for_driver(driver_, arena_ + parameter.pointers.at(0).target, bytes);
      if (result != kSuccess) return result;
      continue;
    }
    for (const ImagePointer& pointer : parameter.pointers) {
      const std::uint64_t address = arena_ + pointer.target;
      std::memcpy(bytes.data() + pointer.offset, &address, sizeof address);
    }
  }
  std::vector<void*> arguments;
  for (std::vector<std::byte>& bytes : storage) arguments.push_back(bytes.data());
  // The driver reads as many arguments as the kernel has parameters, whatever the number passed.
  if (driver_.func_get_param_info != nullptr) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < call.parameters.size(); ++i) {
      result = driver_.func_get_param_info(function, i, &offset, &bytes);
      if (result != kSuccess || bytes != storage[i].size()) return kInvalidValue;
    }
    if (driver_.func_get_param_info(function, storage.size(), &offset, &bytes) == kSuccess) {
      return kInvalidValue;
    }
  }
  const LaunchShape shape{call.grid, call.block, call.cluster, call.shared_bytes,
                          loaded.cooperative.contains(call.entry)};
  result = raise_limits(driver_, function, shape);
  if (result != kSuccess) return result;
  driver_.event_record(start_, nullptr);
  result = launch(driver_, function, shape, arguments.data());
  if (result != kSuccess) return result;
  driver_.event_record(stop_, nullptr);
  result = wait();
  if (result != kSuccess) return result;
  float milliseconds = 0.0F;
  driver_.event_elapsed_time(&milliseconds, start_, stop_);
  seconds += static_cast<double>(milliseconds) * 1e-3;
  return kSuccess;
}

Reply Session::failure(int result, std::uint64_t call) const {
  return {Reply::Status::failed, result, call, describe(driver_, result), 0.0};
}

Reply Session::execute(const Request& request, std::span<std::byte> image, const Loaded& loaded) {
  int result = reserve(image.size());
  if (result == kOutOfMemory) {
    return {Reply::Status::unusable, result, 0,
            fmt::format("the GPU does not have {} bytes free for this job", image.size()), 0.0};
  }
  if (result == kSuccess && !image.empty()) {
    result = driver_.memcpy_host_to_device(arena_, image.data(), image.size());
  }
  if (result != kSuccess) return failure(result, 0);
  Reply reply;
  for (std::size_t i = 0; i < request.calls.size(); ++i) {
    result = make_call(request.calls[i], loaded, reply.seconds);
    if (result != kSuccess) return failure(result, i);
  }
  if (!image.empty()) result = driver_.memcpy_device_to_host(image.data(), arena_, image.size());
  return result == kSuccess ? reply : failure(result, request.calls.size() - 1);
}

Reply Session::run(const Request& request, std::span<std::byte> image) {
  const auto found = std::ranges::find(loaded_, request.program, &Loaded::program);
  if (found == loaded_.end()) return {Reply::Status::unknown_program, 0, 0, {}, 0.0};
  loaded_.splice(loaded_.begin(), loaded_, found);
  lock(image);
  Reply reply = execute(request, image.first(request.image_bytes), *found);
  if (found->has_variables) {
    driver_.module_unload(found->module);
    loaded_.erase(found);
  }
  return reply;
}

}  // namespace warpcheck::device::cuda

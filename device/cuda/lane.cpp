#include "device/cuda/lane.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/driver/kernel_launch.hpp"
#include "device/tensor_map.hpp"

namespace warpcheck::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPolling{2};  // most jobs take less
constexpr std::chrono::microseconds kLeastPause{50};
constexpr std::chrono::milliseconds kMostPause{1};

/// Replaces the project's format of a map by the driver's format.
int encode_for_driver(const DriverApi& driver, DeviceAddress address,
                      std::vector<std::byte>& bytes) {
  if (bytes.size() != kTensorMapBytes) return kInvalidValue;
  const auto map = decode(std::span<const std::byte, kTensorMapBytes>(bytes));
  return map ? encode_tensor_map(driver, *map, address, bytes) : kInvalidValue;
}

/// The bytes of each parameter, with the addresses of buffers filled in. Returns a CUresult.
int prepare(const DriverApi& driver, const KernelCall& call, DeviceAddress image,
            std::vector<std::vector<std::byte>>& storage) {
  for (const Parameter& parameter : call.parameters) {
    std::vector<std::byte>& bytes = storage.emplace_back(parameter.bytes);
    if (parameter.is_tensor_map) {
      const int result = encode_for_driver(driver, image + parameter.pointers.at(0).target, bytes);
      if (result != kSuccess) return result;
      continue;
    }
    for (const ImagePointer& pointer : parameter.pointers) {
      const std::uint64_t address = image + pointer.target;
      std::memcpy(bytes.data() + pointer.offset, &address, sizeof address);
    }
  }
  return kSuccess;
}

/// True if the numbers and sizes of the arguments fit. The driver reads as many arguments as the
/// kernel has parameters, regardless of the number passed.
bool fit(const Entry& entry, const std::vector<std::vector<std::byte>>& arguments) {
  if (!entry.has_parameters) return true;
  if (entry.parameter_bytes.size() != arguments.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (entry.parameter_bytes[i] != arguments[i].size()) return false;
  }
  return true;
}

}  // namespace

int Lane::enter() {
  if (entered_) return kSuccess;
  int result = session_.enter_context();
  if (result == kSuccess) {
    result = driver_.stream_create(&stream_, constant::kNonBlockingStream);
  }
  if (result == kSuccess) result = driver_.event_create(&start_, 0);
  if (result == kSuccess) result = driver_.event_create(&stop_, 0);
  if (result == kSuccess) create_counter();
  entered_ = result == kSuccess;
  return result;
}

Reply Lane::load(std::uint64_t program, const std::string& text) {
  const int result = enter();
  if (result == kSuccess) return session_.load(program, text);
  return {Reply::Status::unusable, result, 0, describe(driver_, result), 0.0};
}

/// Page-locks the image: copies from page-locked memory are twice as fast. Copies also work if the
/// driver cannot lock it.
void Lane::lock(std::span<std::byte> image) {
  if (locked_ == image.data() || image.empty()) return;
  release();
  if (driver_.mem_host_register(image.data(), image.size(), 0) == kSuccess) locked_ = image.data();
}

void Lane::release() {
  if (locked_ != nullptr) driver_.mem_host_unregister(locked_);
  locked_ = nullptr;
}

void Lane::create_counter() {
  if (driver_.stream_write_value == nullptr || driver_.mem_host_alloc == nullptr) return;
  void* memory = nullptr;
  if (driver_.mem_host_alloc(&memory, sizeof *completed_, 0) != kSuccess) return;
  if (driver_.mem_host_get_device_pointer(&completed_address_, memory, 0) != kSuccess) return;
  completed_ = static_cast<std::uint32_t*>(memory);
  *completed_ = 0;
}

/// Pauses between two polls of a stream since `begin`; the pause grows with the time of the job.
void Lane::pause(Clock::time_point begin) const {
  const Clock::duration waited = Clock::now() - begin;
  if (alone_ && waited < kPolling) return;
  std::this_thread::sleep_for(std::clamp<Clock::duration>(waited / 8, kLeastPause, kMostPause));
}

int Lane::wait() {
  const Clock::time_point begin = Clock::now();
  for (;; pause(begin)) {
    const int result = driver_.stream_query(stream_);
    if (result != kNotReady) return result;
    if (Clock::now() - begin > kPolling && abandoned_()) _exit(EXIT_FAILURE);
  }
}

/// Waits for all of the stream. A query of the stream takes a lock of the driver, so that the
/// queries of many lanes delay launches. A read of the counter takes no lock, but does not show
/// failures.
int Lane::wait_for_all() {
  const bool counts =
      completed_ != nullptr &&
      driver_.stream_write_value(stream_, completed_address_, ++waits_, 0) == kSuccess;
  const Clock::time_point begin = Clock::now();
  while (counts && Clock::now() - begin < kPolling) {
    if (std::atomic_ref(*completed_).load(std::memory_order_acquire) == waits_) return kSuccess;
    pause(begin);
  }
  return wait();
}

int Lane::wait_for_call(double& seconds) {
  const int result = wait();
  if (result != kSuccess) return result;
  float milliseconds = 0.0F;
  driver_.event_elapsed_time(&milliseconds, start_, stop_);
  seconds += static_cast<double>(milliseconds) * 1e-3;
  return kSuccess;
}

int Lane::make_call(const KernelCall& call, LoadedModule& module) {
  Entry* entry = nullptr;
  int result = module.find(call.entry, entry);
  if (result != kSuccess) return result;
  std::vector<std::vector<std::byte>> storage;
  result = prepare(driver_, call, arena_.begin(), storage);
  if (result != kSuccess) return result;
  if (!fit(*entry, storage)) return kInvalidValue;
  std::vector<void*> arguments;
  for (std::vector<std::byte>& bytes : storage) arguments.push_back(bytes.data());
  const LaunchShape shape{call.grid, call.block, call.cluster, call.shared_bytes,
                          entry->is_cooperative};
  result = module.raise_limits(*entry, shape);
  if (result != kSuccess) return result;
  return launch(driver_, entry->function, shape, arguments.data(), stream_);
}

Reply Lane::failure(int result, std::uint64_t call) const {
  return {Reply::Status::failed, result, call, describe(driver_, result), 0.0};
}

Reply Lane::execute(const Request& request, std::span<std::byte> image, LoadedModule& module) {
  int result = arena_.reserve(image.size());
  if (result == kOutOfMemory) {
    return {Reply::Status::unusable, result, 0,
            fmt::format("the GPU does not have {} bytes free for this job", image.size()), 0.0};
  }
  if (result == kSuccess && !image.empty()) {
    result =
        driver_.memcpy_host_to_device_async(arena_.begin(), image.data(), image.size(), stream_);
  }
  if (result != kSuccess) return failure(result, 0);
  const bool singly = request.kind == Request::Kind::run_singly;
  const std::size_t count = request.calls.size();
  Reply reply;
  for (std::size_t i = 0; i < count; ++i) {
    if (singly) driver_.event_record(start_, stream_);
    result = make_call(request.calls[i], module);
    if (result != kSuccess) {
      const int before = wait();  // the next job of the lane uses the same image
      return failure(is_sticky(before) ? before : result, i);
    }
    if (!singly) continue;
    driver_.event_record(stop_, stream_);
    result = wait_for_call(reply.seconds);
    if (result != kSuccess) return failure(result, i);
  }
  if (!image.empty()) {
    result =
        driver_.memcpy_device_to_host_async(image.data(), arena_.begin(), image.size(), stream_);
  }
  if (result == kSuccess) result = singly ? wait() : wait_for_all();
  if (result != kSuccess) return failure(result, count == 0 ? 0 : count - 1);
  return reply;
}

Reply Lane::run(const Request& request, std::span<std::byte> image) {
  const std::shared_ptr<LoadedModule> module = session_.find(request.program);
  const int result = enter();
  if (result != kSuccess) {
    return {Reply::Status::unusable, result, 0, describe(driver_, result), 0.0};
  }
  if (module == nullptr) return {Reply::Status::unknown_program, 0, 0, {}, 0.0};
  lock(image);
  Reply reply = execute(request, image.first(request.image_bytes), *module);
  arena_.trim();
  if (module->has_variables()) session_.forget(request.program);
  return reply;
}

}  // namespace warpcheck::device::cuda

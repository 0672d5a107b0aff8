#include "device/cuda/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/diagnostic.hpp"
#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/driver/gpu_name.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::device::cuda {
namespace {

constexpr std::size_t kMostModules = 64;

}  // namespace

LoadedModule::LoadedModule(const DriverApi& driver, std::uint64_t program, Module module,
                           const std::string& ptx)
    : driver_(driver),
      program_(program),
      module_(module),
      has_variables_(ptx::uses_global_variables(ptx)),
      cooperative_(ptx::cooperative_entries(ptx)) {}

int LoadedModule::find(const std::string& name, Entry*& entry) {
  const std::lock_guard lock(mutex_);
  if (const auto known = entries_.find(name); known != entries_.end()) {
    entry = &known->second;
    return kSuccess;
  }
  Entry found;
  const int result = driver_.module_get_function(&found.function, module_, name.c_str());
  if (result != kSuccess) return result;
  found.is_cooperative = cooperative_.contains(name);
  found.has_parameters = driver_.func_get_param_info != nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  while (found.has_parameters &&
         driver_.func_get_param_info(found.function, found.parameter_bytes.size(), &offset,
                                     &bytes) == kSuccess) {
    found.parameter_bytes.push_back(bytes);
  }
  entry = &entries_.emplace(name, std::move(found)).first->second;
  return kSuccess;
}

int LoadedModule::raise_limits(Entry& entry, LaunchShape shape) {
  const std::lock_guard lock(mutex_);
  const bool is_portable = shape.cluster.x * shape.cluster.y * shape.cluster.z <= kPortableBlocks;
  if (shape.shared_bytes <= entry.shared_bytes && is_portable) return kSuccess;
  shape.shared_bytes = std::max(shape.shared_bytes, entry.shared_bytes);
  const int result = cuda::raise_limits(driver_, entry.function, shape);
  if (result == kSuccess) entry.shared_bytes = shape.shared_bytes;
  return result;
}

Session::Session(const DriverApi& driver, int ordinal) : driver_(driver) {
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
  const std::lock_guard lock(mutex_);
  int result = kSuccess;
  if (context_ == nullptr) result = driver_.device_primary_ctx_retain(&context_, device_);
  return result == kSuccess ? driver_.ctx_set_current(context_) : result;
}

Reply Session::load(std::uint64_t program, const std::string& text) {
  {
    std::unique_lock lock(mutex_);
    loaded_one_.wait(lock, [&] { return !loading_.contains(program); });
    if (std::ranges::find(loaded_, program, &LoadedModule::program) != loaded_.end()) return {};
    loading_.insert(program);
  }
  Reply reply = load_module(program, text);
  const std::lock_guard lock(mutex_);
  loading_.erase(program);
  loaded_one_.notify_all();
  return reply;
}

Reply Session::load_module(std::uint64_t program, const std::string& text) {
  std::array<char, 16384> log{};
  std::array<int, 2> options = {constant::kJitErrorLogBuffer,
                                constant::kJitErrorLogBufferSizeBytes};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver takes sizes as pointers
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  Module module = nullptr;
  const int result = driver_.module_load_data_ex(&module, text.c_str(), options.size(),
                                                 options.data(), values.data());
  if (result != kSuccess) {
    const bool wrong_text = result == kInvalidPtx || result == kInvalidImage;
    return {wrong_text ? Reply::Status::rejected : Reply::Status::unusable, result, 0,
            fmt::format("{}\n{}", log.data(), describe(driver_, result)), 0.0};
  }
  auto loaded = std::make_shared<LoadedModule>(driver_, program, module, text);
  const std::lock_guard lock(mutex_);
  loaded_.push_front(std::move(loaded));
  if (loaded_.size() > kMostModules) loaded_.pop_back();
  return {};
}

std::shared_ptr<LoadedModule> Session::find(std::uint64_t program) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(loaded_, program, &LoadedModule::program);
  if (found == loaded_.end()) return nullptr;
  loaded_.splice(loaded_.begin(), loaded_, found);
  return *found;
}

void Session::forget(std::uint64_t program) {
  const std::lock_guard lock(mutex_);
  loaded_.remove_if([&](const auto& module) { return module->program() == program; });
}

}  // namespace warpcheck::device::cuda

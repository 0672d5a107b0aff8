#include "workflows/bench/gpu_clock.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace warpcheck::workflows::bench {
namespace {

constexpr int kClockType = 1;  // NVML_CLOCK_SM

}  // namespace

GpuClock::GpuClock() {
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why_unknown_ = "libnvidia-ml.so.1 cannot be opened";
    return;
  }
  const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
  const auto by_index =
      reinterpret_cast<int (*)(unsigned, void**)>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
  current_ = reinterpret_cast<Query>(dlsym(library, "nvmlDeviceGetClockInfo"));
  most_ = reinterpret_cast<Query>(dlsym(library, "nvmlDeviceGetMaxClockInfo"));
  if (init == nullptr || by_index == nullptr || current_ == nullptr || most_ == nullptr) {
    why_unknown_ = "NVML lacks a function";
  } else if (const int status = init(); status != 0) {
    why_unknown_ = fmt::format("nvmlInit: status {}", status);
  } else if (const int found = by_index(0, &device_); found != 0) {
    why_unknown_ = fmt::format("nvmlDeviceGetHandleByIndex: status {}", found);
  }
}

std::optional<double> GpuClock::query_clock(Query query) const {
  unsigned megahertz = 0;
  if (!why_unknown_.empty() || query(device_, kClockType, &megahertz) != 0) {
    return std::nullopt;
  }
  return megahertz * 1e6;
}

std::optional<double> GpuClock::now() const { return query_clock(current_); }

std::optional<double> GpuClock::highest() const { return query_clock(most_); }

}  // namespace warpcheck::workflows::bench

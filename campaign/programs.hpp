// Loaded modules of variants on one device.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign {

/// Loads each module once, even if it contains several variants. Thread-safe.
class Programs {
 public:
  explicit Programs(device::Device& device) : device_(device) {}

  const device::Program& of(const contract::Variant& variant) {
    Loaded& loaded = entry(variant);
    const std::lock_guard lock(loaded.mutex);
    if (!loaded.program) {
      loaded.program = device_.load(variant.compiled->ptx, variant.compiled->ptx_file);
    }
    return *loaded.program;
  }

 private:
  struct Loaded {
    std::mutex mutex;
    std::shared_ptr<const device::Program> program;
  };

  Loaded& entry(const contract::Variant& variant) {
    const std::lock_guard lock(mutex_);
    return programs_[variant.compiled.get()];
  }

  device::Device& device_;
  std::mutex mutex_;
  std::map<const contract::Compiled*, Loaded> programs_;
};

}  // namespace warpcheck::campaign

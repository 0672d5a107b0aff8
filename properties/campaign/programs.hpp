// Loaded modules of variants on one device.
#pragma once

#include <map>
#include <memory>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::properties::campaign {

/// Loads each module once, even if it contains several variants.
class Programs {
 public:
  explicit Programs(device::Device& device) : device_(device) {}

  const device::Program& of(const contract::Variant& variant) {
    std::shared_ptr<const device::Program>& program = programs_[variant.compiled.get()];
    if (!program) program = device_.load(variant.compiled->ptx, variant.compiled->ptx_file);
    return *program;
  }

 private:
  device::Device& device_;
  std::map<const contract::Compiled*, std::shared_ptr<const device::Program>> programs_;
};

}  // namespace warpcheck::properties::campaign

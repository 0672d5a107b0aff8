// The modules of variants, on one device.
#pragma once

#include <map>
#include <memory>

#include "device/device.hpp"
#include "kernels/contract/variant.hpp"

namespace warpcheck::properties {

/// Each module is loaded once, however many variants it holds.
class Programs {
 public:
  explicit Programs(device::Device& device) : device_(device) {}

  const device::Program& of(const kernels::Variant& variant) {
    std::shared_ptr<const device::Program>& program = programs_[variant.compiled.get()];
    if (!program) program = device_.load(variant.compiled->ptx, variant.compiled->ptx_file);
    return *program;
  }

 private:
  device::Device& device_;
  std::map<const kernels::Compiled*, std::shared_ptr<const device::Program>> programs_;
};

}  // namespace warpcheck::properties

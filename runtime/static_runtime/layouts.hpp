// The functions of the CUDA runtime that nvcc links into programs and libraries by default.
#pragma once

#include <cstdint>
#include <vector>

namespace warpcheck::runtime {

struct RuntimeFunction {
  const char* name = nullptr;
  std::uint64_t address = 0;
};

/// The functions of the runtime in an object with functions at `starts`, in this order. Empty: it
/// has none, or one of an unknown version.
[[nodiscard]] std::vector<RuntimeFunction> find_static_runtime(
    const std::vector<std::uint64_t>& starts);

}  // namespace warpcheck::runtime

// The libraries of the Toolkit contain the CUDA runtime too, but machine code in place of PTX.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace warpcheck::runtime {

/// True for the file of such a library: libcublas.so.13.
[[nodiscard]] inline bool is_toolkit_library(std::string_view path) {
  constexpr std::array<std::string_view, 15> kNames = {
      "libcublas", "libcudnn",    "libcufft",    "libcufile",   "libcupti",
      "libcurand", "libcusolver", "libcusparse", "libcutensor", "libnccl",
      "libnpp",    "libnvblas",   "libnvinfer",  "libnvjpeg",   "libnvshmem"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view one) { return name.starts_with(one); });
}

}  // namespace warpcheck::runtime

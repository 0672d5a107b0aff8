// Random kernels: guards, loops, barriers, shared memory and index arithmetic as people write them,
// mostly right and sometimes wrong.
#pragma once

#include <cstdint>
#include <string>

namespace warpcheck::proof::test {

struct RandomKernel {
  std::string contract;  // TOML
  std::string ptx;
  /// The same kernel, but each store to global memory adds 1 to each of its elements.
  std::string counting_ptx;
  unsigned width = 1;   // threads of a block along x
  unsigned height = 1;  // threads of a block along y
};

[[nodiscard]] RandomKernel random_kernel(std::uint64_t seed);
/// A kernel whose threads pass tiles to others in shared memory.
[[nodiscard]] RandomKernel random_tiles(std::uint64_t seed);

}  // namespace warpcheck::proof::test

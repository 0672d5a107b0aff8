// The CUDA runtime of the device, by which threads launch grids (CUDA C++ Programming Guide, "CUDA
// Dynamic Parallelism"). nvcc -rdc=true calls its functions by the names __cudaCDP2...
#pragma once

#include <string>

namespace warpcheck::isa {

class Lowering;

/// Decodes a call of such a function, which replaces its definition in libcudadevrt.a. Returns
/// false if the device does not provide `name`; throws DecodeError if it is not defined either.
[[nodiscard]] bool lower_device_runtime(Lowering& lowering, const std::string& name,
                                        bool is_defined);

}  // namespace warpcheck::isa

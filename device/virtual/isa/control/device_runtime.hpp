// The CUDA runtime of the device, with which threads launch grids (CUDA C++ Programming Guide,
// "CUDA Dynamic Parallelism"). nvcc -rdc=true calls its functions under the names __cudaCDP2...
#pragma once

#include <string>

namespace warpcheck::isa {

class Lowering;

/// Decodes a call of such a function, in the place of its definition in libcudadevrt.a. False if
/// the device does not provide `name`; a DecodeError if, in addition, it is not defined.
[[nodiscard]] bool lower_device_runtime(Lowering& lowering, const std::string& name,
                                        bool is_defined);

}  // namespace warpcheck::isa

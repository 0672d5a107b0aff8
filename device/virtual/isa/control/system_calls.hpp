// The functions that the driver provides to kernels: printf, assert, malloc and free, and the
// functions of device_runtime.hpp.
#pragma once

#include <string>

namespace warpcheck::isa {

class Lowering;

/// Decodes a call of a function without a definition. Its arguments and results are the elements of
/// the op's detail, in the order of the parameters.
void lower_system_call(Lowering& lowering, const std::string& name);

}  // namespace warpcheck::isa

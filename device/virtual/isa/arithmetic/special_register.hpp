// mov from a special register (PTX ISA 10).
#pragma once

#include "ptx/operand.hpp"

namespace warpcheck::isa {

class Lowering;

/// Decodes `mov d, %name`.
void lower_special(Lowering& lowering, const ptx::SpecialRegister& reg);

}  // namespace warpcheck::isa

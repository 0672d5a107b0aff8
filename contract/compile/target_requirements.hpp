// The architectures that instructions require. This is for machines without ptxas, which checks it
// exactly.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::contract {

/// Instructions with this mnemonic and all of these modifiers, in any order, require an
/// architecture.
struct TargetRequirement {
  std::string_view mnemonic;   // empty: any
  std::string_view modifiers;  // separated by blanks
  unsigned target = 0;         // 90 for sm_90
  bool exactly = false;        // true: sm_90a has the instruction, no other target
};

/// The table, which is not complete: see the PTX ISA manual, "Target ISA Notes".
[[nodiscard]] std::span<const TargetRequirement> target_requirements();

/// The instructions of the PTX that its .target lacks; each line once.
[[nodiscard]] std::vector<AssemblyError> target_errors(const Compiled& compiled);

}  // namespace warpcheck::contract

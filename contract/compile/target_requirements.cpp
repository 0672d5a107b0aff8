#include "contract/compile/target_requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::array kRequirements = {
    TargetRequirement{"cp", "async", 80},
    TargetRequirement{"cp", "async bulk", 90},
    TargetRequirement{"cp", "reduce async bulk", 90},
    TargetRequirement{"mbarrier", "", 80},
    TargetRequirement{"mbarrier", "try_wait", 90},
    TargetRequirement{"mbarrier", "expect_tx", 90},
    TargetRequirement{"mbarrier", "complete_tx", 90},
    TargetRequirement{"redux", "sync", 80},
    TargetRequirement{"ldmatrix", "", 75},
    TargetRequirement{"movmatrix", "", 75},
    TargetRequirement{"stmatrix", "", 90},
    TargetRequirement{"mma", "bf16", 80},
    TargetRequirement{"mma", "tf32", 80},
    TargetRequirement{"mma", "f64", 80},
    TargetRequirement{"mma", "m16n8k16", 80},
    TargetRequirement{"mma", "m16n8k32", 80},
    TargetRequirement{"mma", "sp", 80},
    TargetRequirement{"mma", "e4m3", 89},
    TargetRequirement{"mma", "e5m2", 89},
    TargetRequirement{"mma", "m16n8k8 f64", 90},
    TargetRequirement{"mma", "m16n8k16 f64", 90},
    TargetRequirement{"wmma", "bf16", 80},
    TargetRequirement{"wmma", "tf32", 80},
    TargetRequirement{"wmma", "f64", 80},
    TargetRequirement{"wgmma", "", 90, true},
    TargetRequirement{"setmaxnreg", "", 90, true},
    TargetRequirement{"barrier", "cluster", 90},
    TargetRequirement{"mapa", "", 90},
    TargetRequirement{"getctarank", "", 90},
    TargetRequirement{"elect", "sync", 90},
    TargetRequirement{"griddepcontrol", "", 90},
    TargetRequirement{"multimem", "", 90},
    TargetRequirement{"fence", "proxy async", 90},
    TargetRequirement{"fence", "mbarrier_init", 90},
    TargetRequirement{"st", "async", 90},
    TargetRequirement{"red", "async", 90},
    TargetRequirement{"", "shared::cluster", 90},
    TargetRequirement{"createpolicy", "", 80},
    TargetRequirement{"discard", "", 80},
    TargetRequirement{"applypriority", "", 80},
    TargetRequirement{"fma", "bf16", 80},
    TargetRequirement{"fma", "bf16x2", 80},
    TargetRequirement{"min", "bf16", 80},
    TargetRequirement{"max", "bf16", 80},
    TargetRequirement{"min", "f16", 80},
    TargetRequirement{"max", "f16", 80},
    TargetRequirement{"add", "bf16", 90},
    TargetRequirement{"add", "bf16x2", 90},
    TargetRequirement{"sub", "bf16", 90},
    TargetRequirement{"mul", "bf16", 90},
    TargetRequirement{"tanh", "bf16", 90},
    TargetRequirement{"ex2", "bf16", 90},
    TargetRequirement{"atom", "bf16", 90},
    TargetRequirement{"atom", "b128", 90},
    TargetRequirement{"cvt", "bf16", 80},
    TargetRequirement{"cvt", "bf16x2", 80},
    TargetRequirement{"cvt", "tf32", 80},
    TargetRequirement{"cvt", "e4m3x2", 89},
    TargetRequirement{"cvt", "e5m2x2", 89},
};

/// "sm_90a": 90, with features that only this architecture has.
struct Target {
  unsigned number = 0;
  bool is_specific = false;
};

Target target_of(std::string_view name) {
  Target target;
  name.remove_prefix(std::min(name.find_first_of("0123456789"), name.size()));
  const auto end = std::from_chars(name.data(), name.data() + name.size(), target.number);
  target.is_specific = end.ptr != name.data() + name.size() && *end.ptr == 'a';
  return target;
}

bool applies(const TargetRequirement& row, const ptx::Instruction& instruction) {
  const std::vector<std::string>& parts = instruction.parts;
  if (!row.mnemonic.empty() && parts.front() != row.mnemonic) return false;
  std::istringstream modifiers{std::string(row.modifiers)};
  for (std::string word; modifiers >> word;) {
    if (std::find(parts.begin() + 1, parts.end(), word) == parts.end()) return false;
  }
  return true;
}

bool meets(const Target& target, const TargetRequirement& row) {
  if (row.exactly) return target.number == row.target && target.is_specific;
  return target.number >= row.target;
}

/// The highest requirement that the target does not meet; null if it meets all.
const TargetRequirement* unmet(const ptx::Instruction& instruction, const Target& target) {
  const TargetRequirement* found = nullptr;
  for (const TargetRequirement& row : kRequirements) {
    if (meets(target, row) || !applies(row, instruction)) continue;
    if (found == nullptr || found->target < row.target) found = &row;
  }
  return found;
}

}  // namespace

std::span<const TargetRequirement> target_requirements() { return kRequirements; }

std::vector<AssemblyError> target_errors(const Compiled& compiled) {
  std::vector<AssemblyError> errors;
  ptx::Module module;
  try {
    module = ptx::parse(compiled.ptx, compiled.ptx_file);
  } catch (const InputError&) {
    return errors;  // the device reports it
  }
  const Target target = target_of(module.target);
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      const TargetRequirement* row = unmet(instruction, target);
      if (row == nullptr) continue;
      AssemblyError error;
      error.message = fmt::format("{} requires .target sm_{}{}; the PTX is for {}",
                                  fmt::join(instruction.parts, "."), row->target,
                                  row->exactly ? "a" : " or higher", module.target);
      error.ptx_line = instruction.place.line;
      errors.push_back(std::move(error));
    }
  }
  return errors;
}

}  // namespace warpcheck::contract

// Barriers, fences, and waits for asynchronous copies.
#include "workflows/mutate/operators/operator.hpp"

namespace warpcheck::workflows::mutate::operators {

std::vector<Replacement> barrier_dropped(const Site& site) {
  const ptx::Instruction& instruction = site.instruction;
  const std::string_view name = mnemonic(instruction);
  const bool barrier = name == "bar" || name == "barrier";
  // A barrier with a reduction has a result that other instructions need.
  if (barrier ? has_modifier(instruction, "red") : name != "membar" && name != "fence") return {};
  return {std::nullopt};
}

std::vector<Replacement> wait_changed(const Site& site) {
  const ptx::Instruction& instruction = site.instruction;
  if (has_modifier(instruction, "wait_all")) return {std::nullopt};
  if (has_modifier(instruction, "wait_group")) {
    const auto* const groups = std::get_if<ptx::Integer>(&instruction.operands.at(0));
    if (groups == nullptr) return {};
    ptx::Instruction changed = instruction;
    changed.operands[0] = ptx::Integer{groups->bits + 1, groups->is_unsigned};
    return {changed};
  }
  if (mnemonic(instruction) != "mbarrier") return {};
  if (!has_modifier(instruction, "test_wait") && !has_modifier(instruction, "try_wait")) return {};
  // The test succeeds at once.
  ptx::Instruction changed = instruction;
  changed.parts = {"setp", "eq", "u32"};
  changed.operands = {instruction.operands.at(0), ptx::Integer{}, ptx::Integer{}};
  return {changed};
}

}  // namespace warpcheck::workflows::mutate::operators

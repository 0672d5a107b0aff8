#include "ptx/analysis/branch_sides.hpp"

#include <algorithm>

#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

/// The instruction that follows the branch if it is taken; empty: it is not a branch to a label.
std::optional<std::size_t> target_of(const Function& function, const Instruction& instruction) {
  const auto* const label = operand<Label>(instruction, 0);
  if (mnemonic(instruction) != "bra" || label == nullptr) return std::nullopt;
  return function.labels.at(label->index).target;
}

/// The instructions from `at` on, up to and including one that may continue in two ways or end the
/// thread.
std::vector<std::size_t> way_from(const Function& function, std::size_t at) {
  constexpr std::size_t kMost = 256;
  std::vector<std::size_t> way;
  while (at < function.body.size() && way.size() < kMost) {
    way.push_back(at);
    const Instruction& instruction = function.body[at];
    if (!has_mnemonic(instruction, {"bra", "brx", "ret", "exit", "trap"})) {
      ++at;
      continue;
    }
    const auto target = target_of(function, instruction);
    if (!target || instruction.guard) break;
    at = *target;
  }
  return way;
}

}  // namespace

std::optional<std::vector<std::size_t>> sides_of_branch(const Function& function,
                                                        std::size_t branch) {
  const auto target = target_of(function, function.body[branch]);
  if (!target) return std::nullopt;
  std::vector<std::size_t> sides = way_from(function, branch + 1);
  const std::vector<std::size_t> taken = way_from(function, *target);
  const auto meeting = std::find_first_of(taken.begin(), taken.end(), sides.begin(), sides.end());
  if (meeting == taken.end()) return std::nullopt;
  sides.erase(std::find(sides.begin(), sides.end(), *meeting), sides.end());
  sides.insert(sides.end(), taken.begin(), meeting);
  return sides;
}

}  // namespace warpcheck::ptx::analysis

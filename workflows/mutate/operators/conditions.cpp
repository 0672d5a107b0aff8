// Comparisons, and the predicates that guard instructions.
#include <algorithm>
#include <array>
#include <utility>

#include "workflows/mutate/operators/operator.hpp"

namespace warpcheck::workflows::mutate::operators {
namespace {

using Weaker = std::pair<std::string_view, std::string_view>;

constexpr std::array<Weaker, 12> kWeaker = {{{"lt", "le"},
                                             {"le", "lt"},
                                             {"gt", "ge"},
                                             {"ge", "gt"},
                                             {"lo", "ls"},
                                             {"ls", "lo"},
                                             {"hi", "hs"},
                                             {"hs", "hi"},
                                             {"ltu", "leu"},
                                             {"leu", "ltu"},
                                             {"gtu", "geu"},
                                             {"geu", "gtu"}}};

bool compares(const Site& site) {
  const std::string_view name = mnemonic(site.instruction);
  return (name == "setp" || name == "set") && site.instruction.parts.size() > 2;
}

}  // namespace

std::vector<Replacement> comparison_weakened(const Site& site) {
  if (!compares(site)) return {};
  const std::string& comparison = site.instruction.parts[1];
  const auto* const weaker = std::find_if(
      kWeaker.begin(), kWeaker.end(), [&](const Weaker& pair) { return pair.first == comparison; });
  if (weaker == kWeaker.end()) return {};
  ptx::Instruction changed = site.instruction;
  changed.parts[1] = weaker->second;
  return {changed};
}

/// Shifts the constant of an ordering in one direction only: the other direction is equivalent to
/// the weakened comparison.
std::vector<Replacement> comparison_shifted(const Site& site) {
  if (!compares(site) || site.instruction.operands.size() < 3) return {};
  const auto* const constant = std::get_if<ptx::Integer>(&site.instruction.operands[2]);
  if (constant == nullptr) return {};
  const std::string& comparison = site.instruction.parts[1];
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), comparison) != names.end();
  };
  std::vector<Replacement> changes;
  const auto add = [&](std::uint64_t difference) {
    ptx::Instruction& changed = changes.emplace_back(site.instruction).value();
    changed.operands[2] = ptx::Integer{constant->bits + difference, constant->is_unsigned};
  };
  if (is_one_of({"eq", "ne", "le", "gt", "ls", "hi"})) add(1);
  if (is_one_of({"eq", "ne", "lt", "ge", "lo", "hs"})) add(~std::uint64_t{0});
  return changes;
}

std::vector<Replacement> predicate_dropped(const Site& site) {
  if (!site.instruction.guard) return {};
  ptx::Instruction changed = site.instruction;
  changed.guard.reset();
  return {changed};
}

std::vector<Replacement> predicate_negated(const Site& site) {
  if (!site.instruction.guard) return {};
  ptx::Instruction changed = site.instruction;
  changed.guard->negated = !changed.guard->negated;
  return {changed};
}

}  // namespace warpcheck::workflows::mutate::operators

// Arithmetic on integers, of addresses among others, and on floating-point numbers.
#include <algorithm>
#include <array>
#include <utility>

#include "workflows/mutate/operators/operator.hpp"

namespace warpcheck::workflows::mutate::operators {
namespace {

template <std::size_t count>
bool is_one_of(std::string_view name, const std::array<std::string_view, count>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_8_bit_float(const std::string& modifier) {
  const auto type = ptx::type(modifier);
  return type == ptx::Type::e4m3x2 || type == ptx::Type::e5m2x2;
}

bool multiplies_and_adds(const ptx::Instruction& instruction) {
  return (mnemonic(instruction) == "fma" || mnemonic(instruction) == "mad") &&
         instruction.operands.size() == 4 && !has_modifier(instruction, "cc");
}

}  // namespace

std::vector<Replacement> constant_shifted(const Site& site) {
  constexpr std::array<std::string_view, 17> kArithmetic = {
      "add", "sub", "mul", "mad", "mul24", "mad24", "div", "rem", "min",
      "max", "shl", "shr", "and", "or",    "xor",   "mov", "selp"};
  const ptx::Instruction& instruction = site.instruction;
  if (!is_one_of(mnemonic(instruction), kArithmetic)) return {};
  if (ptx::is_float(type_of(instruction))) return {};
  std::vector<Replacement> changes;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    const auto* const constant = std::get_if<ptx::Integer>(&instruction.operands[i]);
    if (constant == nullptr) continue;
    for (const std::uint64_t difference : {std::uint64_t{1}, ~std::uint64_t{0}}) {
      ptx::Instruction& changed = changes.emplace_back(instruction).value();
      changed.operands[i] = ptx::Integer{constant->bits + difference, constant->is_unsigned};
    }
  }
  return changes;
}

std::vector<Replacement> operands_swapped(const Site& site) {
  constexpr std::array<std::string_view, 4> kFirstTwo = {"sub", "div", "rem", "selp"};
  constexpr std::array<std::string_view, 8> kOrders = {"lt", "le", "gt", "ge",
                                                       "lo", "ls", "hi", "hs"};
  const ptx::Instruction& instruction = site.instruction;
  const std::string_view name = mnemonic(instruction);
  std::size_t first = 1;
  if (multiplies_and_adds(instruction) && !has_modifier(instruction, "wide")) {
    first = 2;  // factor and addend: factors commute
  } else if (!is_one_of(name, kFirstTwo) &&
             !(name == "setp" && is_one_of(instruction.parts.at(1), kOrders))) {
    return {};
  }
  if (instruction.operands.size() < first + 2) return {};
  ptx::Instruction changed = instruction;
  std::swap(changed.operands[first], changed.operands[first + 1]);
  if (changed == instruction) return {};
  return {changed};
}

std::vector<Replacement> fma_to_mul(const Site& site) {
  if (!multiplies_and_adds(site.instruction) || has_modifier(site.instruction, "relu")) return {};
  ptx::Instruction changed = site.instruction;
  changed.parts.front() = "mul";
  changed.operands.pop_back();
  return {changed};
}

std::vector<Replacement> rounding_changed(const Site& site) {
  constexpr std::array<std::string_view, 3> kMayGoWithout = {"add", "sub", "mul"};
  constexpr std::array<std::string_view, 7> kArithmetic = {"add", "sub", "mul", "fma",
                                                           "div", "rcp", "sqrt"};
  const ptx::Instruction& instruction = site.instruction;
  const std::string_view name = mnemonic(instruction);
  const ptx::Type type = type_of(instruction);
  // Arithmetic on narrower formats supports only rounding to nearest (PTX ISA 9.7.4).
  // So do conversions from and to formats of 8 bits (PTX ISA 9.7.9.21).
  const bool wide = type == ptx::Type::f32 || type == ptx::Type::f64;
  if (has_modifier(instruction, "satfinite") || has_modifier(instruction, "relu")) return {};
  if (std::any_of(instruction.parts.begin(), instruction.parts.end(), is_8_bit_float)) return {};
  if (name != "cvt" && !(wide && is_one_of(name, kArithmetic))) return {};
  ptx::Instruction changed = instruction;
  for (std::string& part : changed.parts) {
    if (part != "rn" && part != "rni") continue;
    part = part == "rn" ? "rz" : "rzi";
    return {changed};
  }
  // The default rounding is to nearest.
  const bool other = has_modifier(instruction, "rz") || has_modifier(instruction, "rm") ||
                     has_modifier(instruction, "rp");
  if (!is_one_of(name, kMayGoWithout) || other) return {};
  changed.parts.insert(changed.parts.begin() + 1, "rz");
  return {changed};
}

}  // namespace warpcheck::workflows::mutate::operators

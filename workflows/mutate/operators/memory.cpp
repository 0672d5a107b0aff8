// Loads, stores, atomics and copies.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "workflows/mutate/operators/operator.hpp"

namespace warpcheck::workflows::mutate::operators {
namespace {

/// Returns true for accesses to memory, except to parameters: the call determines their addresses.
bool reaches_memory(const ptx::Instruction& instruction) {
  constexpr std::array kAccesses = {"ld", "ldu", "st", "atom", "red", "cp"};
  return std::find(kAccesses.begin(), kAccesses.end(), mnemonic(instruction)) != kAccesses.end() &&
         std::none_of(
             instruction.parts.begin(), instruction.parts.end(),
             [](const std::string& part) { return part.starts_with("param") || part == "bulk"; });
}

std::int64_t vector_length(const ptx::Instruction& instruction) {
  for (const auto& [name, length] : {std::pair{"v2", 2}, {"v4", 4}, {"v8", 8}}) {
    if (has_modifier(instruction, name)) return length;
  }
  return 1;
}

std::int64_t element_bytes(const ptx::Instruction& instruction) {
  return static_cast<std::int64_t>(ptx::bytes(type_of(instruction)));
}

/// The bytes of a whole access; 0 if unknown.
std::int64_t access_bytes(const ptx::Instruction& instruction) {
  if (mnemonic(instruction) != "cp") return vector_length(instruction) * element_bytes(instruction);
  if (instruction.operands.size() < 3) return 0;
  const auto* const size = std::get_if<ptx::Integer>(&instruction.operands[2]);
  return size != nullptr ? static_cast<std::int64_t>(size->bits) : 0;
}

/// The instruction with each of its addresses moved by each of some numbers of bytes.
std::vector<Replacement> moved(const ptx::Instruction& instruction,
                               std::initializer_list<std::int64_t> differences) {
  std::vector<Replacement> changes;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    if (!std::holds_alternative<ptx::Address>(instruction.operands[i])) continue;
    for (const std::int64_t difference : differences) {
      ptx::Instruction& changed = changes.emplace_back(instruction).value();
      std::get<ptx::Address>(changed.operands[i]).offset += difference;
    }
  }
  return changes;
}

}  // namespace

std::vector<Replacement> address_shifted(const Site& site) {
  if (!reaches_memory(site.instruction)) return {};
  const std::int64_t bytes = access_bytes(site.instruction);
  if (bytes == 0) return {};
  return moved(site.instruction, {bytes, -bytes});
}

std::vector<Replacement> vector_moved(const Site& site) {
  if (!reaches_memory(site.instruction) || vector_length(site.instruction) == 1) return {};
  return moved(site.instruction, {element_bytes(site.instruction)});
}

std::vector<Replacement> store_dropped(const Site& site) {
  const ptx::Instruction& instruction = site.instruction;
  const std::string_view name = mnemonic(instruction);
  const bool stores = name == "st" || name == "red" ||
                      (name == "cp" && !instruction.operands.empty() &&
                       std::holds_alternative<ptx::Address>(instruction.operands.front()));
  if (!stores || !reaches_memory(instruction)) return {};
  return {std::nullopt};
}

}  // namespace warpcheck::workflows::mutate::operators

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "proof/lift/executor.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

using ptx::Instruction;
using ptx::analysis::has_mnemonic;
using ptx::analysis::has_modifier;
using ptx::analysis::type_of;

std::int64_t bytes_of(const Instruction& instruction) {
  const auto element = static_cast<std::int64_t>(ptx::bytes(type_of(instruction)));
  for (const auto& [vector, count] : {std::pair("v2", 2), {"v4", 4}, {"v8", 8}}) {
    if (has_modifier(instruction, vector)) return element * count;
  }
  return element;
}

}  // namespace

std::optional<MemorySpace> space_of(const Instruction& instruction) {
  for (const std::string& part : instruction.parts) {
    if (part == "global") return MemorySpace::global;
    if (part == "shared" || part == "shared::cta") return MemorySpace::shared;
    if (part == "local") return MemorySpace::local;
    if (part == "const") return MemorySpace::constant;
    if (part == "param" || part == "param::entry") return MemorySpace::parameter;
  }
  return std::nullopt;
}

/// False if the instruction is no access.
bool Executor::access_memory(const Instruction& instruction, State& state) {
  if (has_mnemonic(instruction, {"cp"})) {
    copy_asynchronously(instruction, state);
    return true;
  }
  const bool is_load = has_mnemonic(instruction, {"ld", "ldu"});
  const bool is_store = has_mnemonic(instruction, {"st"});
  const bool is_atomic = has_mnemonic(instruction, {"atom", "red"});
  if (!is_load && !is_store && !is_atomic) return false;
  if (is_load && has_modifier(instruction, "param") &&
      ptx::analysis::parameter_of(instruction.operands.at(1))) {
    load_parameter(instruction, state);
    return true;
  }
  if (has_modifier(instruction, "shared::cluster") || has_modifier(instruction, "async") ||
      bytes_of(instruction) == 0) {
    throw_not_covered(instruction);
  }
  const bool address_first = is_store || has_mnemonic(instruction, {"red"});
  const auto& operand = instruction.operands.at(address_first ? 0 : 1);
  State guarded = guarded_path(instruction, state);
  const AccessKind kind = is_load    ? AccessKind::read
                          : is_store ? AccessKind::write
                                     : AccessKind::atomic;
  Access access{.kind = kind};
  access.bytes = bytes_of(instruction);
  if (is_atomic) {
    access.atomic_bytes = static_cast<std::int64_t>(ptx::bytes(type_of(instruction)));
    access.is_atomic_in_block = has_modifier(instruction, "cta");
  }
  const Polynomial place = address(operand, state);
  record(std::move(access), place, space_of(instruction), guarded);
  if (!address_first) load_results(instruction, base_of(place, space_of(instruction)).base, state);
  return true;
}

/// The contract may limit the integers of a buffer. A buffer without elements has no limits.
void Executor::limit(const Polynomial& value, unsigned reg, ptx::Type type, const Buffer& buffer) {
  const auto bytes = static_cast<std::int64_t>(ptx::bytes(type));
  const bool keeps_sign =
      ptx::is_signed(type) || ptx::bytes(kernel_.registers[reg].type) == ptx::bytes(type);
  if (!buffer.limits || bytes != buffer.element_bytes || !keeps_sign) return;
  const auto& [least, most] = *buffer.limits;
  terms_.add_fact(
      value.symbols().front(),
      terms_.any({terms_.less(most, least),
                  terms_.all({terms_.at_most(least, value), terms_.at_most(value, most)})}));
}

/// Integers from memory have the range of their type.
void Executor::load_results(const Instruction& instruction, std::optional<SymbolId> base,
                            State& state) {
  const Buffer* const buffer = base ? domain_.buffer_at(*base) : nullptr;
  const auto type = integer_type(type_of(instruction));
  const Formula guard = guard_of(instruction, state);
  for (const unsigned reg : registers_written(instruction)) {
    std::optional<Value> value = data_value(reg);
    if (type && type->width < 32 && value && std::holds_alternative<Polynomial>(*value)) {
      const std::int64_t half = std::int64_t{1} << (type->width - 1);
      const Interval range =
          type->is_signed ? Interval{-half, half - 1} : Interval{0, 2 * half - 1};
      value = Polynomial::of(
          terms_.add({.name = "a value from memory", .range = range, .is_data = true}));
    }
    if (buffer != nullptr && value && std::holds_alternative<Polynomial>(*value)) {
      limit(std::get<Polynomial>(*value), reg, type_of(instruction), *buffer);
    }
    put_register(reg, std::move(value), guard, state);
  }
}

void Executor::load_parameter(const Instruction& instruction, State& state) {
  const auto number = ptx::analysis::parameter_of(instruction.operands.at(1));
  const auto* const place = ptx::analysis::operand<ptx::Address>(instruction, 1);
  if (!number || place->offset != 0 || *number >= domain_.parameters.size() ||
      !std::holds_alternative<ptx::Register>(instruction.operands.front())) {
    return forget_results(instruction, state);
  }
  Value value = domain_.parameters[*number];
  const auto* const integer = std::get_if<Polynomial>(&value);
  const auto type = integer_type(type_of(instruction));
  const auto& reg = std::get<ptx::Register>(instruction.operands.front());
  const bool extends = type && ptx::bytes(kernel_.registers[reg.index].type) * 8 > type->width;
  if (integer != nullptr && extends) value = observed(*integer, *type, state);
  put(instruction, std::move(value), state);
}

void Executor::copy_asynchronously(const Instruction& instruction, const State& state) {
  if (!has_modifier(instruction, "async") || has_modifier(instruction, "bulk") ||
      has_modifier(instruction, "mbarrier")) {
    throw_not_covered(instruction);
  }
  const bool waits =
      has_modifier(instruction, "wait_group") || has_modifier(instruction, "wait_all");
  if (waits || has_modifier(instruction, "commit_group")) {
    if (instruction.guard) throw_not_covered(instruction);
    std::optional<std::int64_t> count;
    // wait_all also completes copies that no commit follows: those of group -1.
    if (waits) count = instruction.operands.empty() ? -1 : source(instruction, 0, state).constant();
    if (waits && !count) throw_not_covered(instruction);
    if (!is_guessing()) lifted_.copy_events.push_back({block_, instruction_, count});
    return;
  }
  const auto bytes = source(instruction, 2, state).constant();
  if (!bytes || has_modifier(instruction, "L2::cache_hint")) throw_not_covered(instruction);
  State guarded = guarded_path(instruction, state);
  Access written{.kind = AccessKind::write, .is_asynchronous = true};
  written.bytes = *bytes;
  record(std::move(written), address(instruction.operands[0], state), MemorySpace::shared, guarded);
  const Polynomial read = instruction.operands.size() > 3
                              ? observed(instruction, 3, {32, false}, state)
                              : Polynomial(*bytes);
  guarded.assume(terms_, terms_.less(0, read));
  Access source_access{.kind = AccessKind::read};
  source_access.bytes = *bytes;
  if (read.constant() != *bytes) source_access.size = read;
  record(std::move(source_access), address(instruction.operands[1], state), MemorySpace::global,
         guarded);
}

Polynomial Executor::address(const ptx::Operand& operand, const State& state) {
  const auto* const place = std::get_if<ptx::Address>(&operand);
  if (place == nullptr || !place->more_bases.empty() || !place->coordinates.empty()) {
    throw Unsupported("an address has another form than a register or a variable");
  }
  const ptx::Operand base =
      std::visit([](const auto& part) { return ptx::Operand(part); }, place->base);
  return integer(base, state) + place->offset;
}

/// The buffer or the variable to which an address belongs. An address without a space is generic.
Executor::Place Executor::base_of(const Polynomial& address,
                                  std::optional<MemorySpace> space) const {
  Place place{space.value_or(MemorySpace::global), address};
  const auto is_once = [&](SymbolId id) {
    const auto linear = address.linear_in(id);
    return linear && linear->first == Polynomial(1);
  };
  for (const auto& [window_space, id] : windows_) {
    if (space || !is_once(id)) continue;
    place.space = window_space;
    place.offset = place.offset - Polynomial::of(id);
  }
  std::vector<SymbolId> bases;
  bool has_window = false;
  for (const SymbolId id : place.offset.symbols()) {
    const SymbolKind kind = terms_[id].kind;
    if (kind == SymbolKind::pointer || kind == SymbolKind::array) bases.push_back(id);
    has_window = has_window || kind == SymbolKind::window;
  }
  const bool is_known = bases.size() == 1 && !has_window && is_once(bases[0]) &&
                        space_of_base(bases[0]) == place.space;
  if (!is_known) return {place.space, address};
  return {place.space, place.offset - Polynomial::of(bases[0]), bases[0]};
}

/// The address without a multiple of 2^32 that a narrow index would have in other cases than those
/// of the path.
Polynomial Executor::without_wraps(const Polynomial& address, const State& state) {
  constexpr std::int64_t kWrap = std::int64_t{1} << 32;
  Polynomial result = address;
  for (const SymbolId id : address.symbols()) {
    const Definition definition = terms_[id].definition;
    const auto* const chosen = std::get_if<Choice>(&definition);
    const auto linear = result.linear_in(id);
    if (chosen == nullptr || !linear || !linear->first.is_multiple_of(kWrap)) continue;
    if (implies(state, chosen->condition)) {
      result = linear->first * chosen->when_true + linear->second;
    } else if (implies(state, terms_.negate(chosen->condition))) {
      result = linear->first * chosen->when_false + linear->second;
    }
  }
  return result;
}

void Executor::record(Access access, const Polynomial& address, std::optional<MemorySpace> space,
                      const State& state) {
  if (is_guessing() || state.is_unreachable()) return;
  const Place place = base_of(without_wraps(address, state), space);
  access.space = place.space;
  access.offset = place.offset;
  access.base = place.base;
  const Array* const array = place.base ? lifted_.array_at(*place.base) : nullptr;
  if (array != nullptr && array->space == MemorySpace::global && access.kind != AccessKind::read) {
    throw Unsupported(
        fmt::format("the kernel writes {}, a variable in global memory, which is not an operand of "
                    "the contract",
                    array->name));
  }
  add_access(std::move(access), state);
}

void Executor::add_access(Access access, const State& state) {
  if (is_guessing() || state.is_unreachable()) return;
  access.path = state.path;
  access.decisive = state.decisive_path();
  access.loops = loops_;
  access.block = block_;
  access.instruction = instruction_;
  lifted_.accesses.push_back(std::move(access));
}

/// A generic address from one in a space, or with `.to` the opposite.
Polynomial Executor::converted_address(const Instruction& instruction, const State& state) {
  const auto space = space_of(instruction);
  if (!space) throw_not_covered(instruction);
  const Polynomial address = source(instruction, 1, state);
  return has_modifier(instruction, "to") ? address - window(*space) : address + window(*space);
}

MemorySpace Executor::space_of_base(SymbolId base) const {
  const Array* const array = lifted_.array_at(base);
  return array == nullptr ? MemorySpace::global : array->space;
}

}  // namespace warpcheck::proof

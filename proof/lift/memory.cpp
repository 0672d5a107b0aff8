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

[[noreturn]] void throw_not_covered(const Instruction& instruction) {
  throw Unsupported(
      fmt::format("the instruction {} is not covered", fmt::join(instruction.parts, ".")));
}

}  // namespace

/// False if the instruction is no access.
bool Executor::access_memory(const Instruction& instruction, State& state) {
  if (has_mnemonic(instruction, {"cp"})) {
    copy_asynchronously(instruction, state);
    return true;
  }
  if (has_mnemonic(instruction, {"ld", "ldu"}) && has_modifier(instruction, "param")) {
    load_parameter(instruction, state);
    return true;
  }
  const bool is_load = has_mnemonic(instruction, {"ld", "ldu"});
  const bool is_store = has_mnemonic(instruction, {"st"});
  const bool is_atomic = has_mnemonic(instruction, {"atom", "red"});
  if (!is_load && !is_store && !is_atomic) return false;
  if (has_modifier(instruction, "local") || has_modifier(instruction, "const") ||
      has_modifier(instruction, "shared::cluster") || bytes_of(instruction) == 0) {
    throw_not_covered(instruction);
  }
  const bool address_first = is_store || has_mnemonic(instruction, {"red"});
  const auto& operand = instruction.operands.at(address_first ? 0 : 1);
  State guarded{.path = state.path, .given = state.given};
  guarded.assume(terms_, guard_of(instruction, state));
  record(is_load    ? AccessKind::read
         : is_store ? AccessKind::write
                    : AccessKind::atomic,
         address(operand, state), bytes_of(instruction), guarded);
  if (!address_first) load_results(instruction, base_of(address(operand, state)), state);
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
    std::optional<Value> value = unknown_value(reg);
    if (type && type->width < 32 && value && std::holds_alternative<Polynomial>(*value)) {
      const std::int64_t half = std::int64_t{1} << (type->width - 1);
      const Interval range =
          type->is_signed ? Interval{-half, half - 1} : Interval{0, 2 * half - 1};
      value = terms_.unknown("a value from memory", Level::thread, range);
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
  if (!bytes) throw_not_covered(instruction);
  State guarded{.path = state.path, .given = state.given};
  guarded.assume(terms_, guard_of(instruction, state));
  record(AccessKind::write, address(instruction.operands[0], state), *bytes, guarded, true);
  const Polynomial read =
      instruction.operands.size() > 3 ? source(instruction, 3, state) : Polynomial(*bytes);
  guarded.assume(terms_, terms_.less(0, read));
  std::optional<Polynomial> size;
  if (read.constant() != *bytes) size = read;
  record(AccessKind::read, address(instruction.operands[1], state), *bytes, guarded, false, size);
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

/// The buffer or the array to which an address belongs.
std::optional<SymbolId> Executor::base_of(const Polynomial& address) const {
  std::vector<SymbolId> bases;
  for (const auto& [monomial, factor] : address.terms()) {
    for (const SymbolId id : monomial) {
      const SymbolKind symbol = terms_[id].kind;
      if (symbol == SymbolKind::pointer || symbol == SymbolKind::shared_array) bases.push_back(id);
    }
  }
  const bool is_one = bases.size() == 1 && address.linear_in(bases[0])->first == Polynomial(1);
  return is_one ? std::optional(bases[0]) : std::nullopt;
}

void Executor::record(AccessKind kind, const Polynomial& address, std::int64_t bytes,
                      const State& state, bool is_asynchronous, std::optional<Polynomial> size) {
  if (is_guessing() || state.is_unreachable()) return;
  Access access{.kind = kind,
                .is_asynchronous = is_asynchronous,
                .offset = address,
                .bytes = bytes,
                .size = std::move(size),
                .path = state.path,
                .decisive = state.decisive_path(),
                .loops = loops_,
                .block = block_,
                .instruction = instruction_};
  access.base = base_of(address);
  if (access.base) {
    access.is_shared = terms_[*access.base].kind == SymbolKind::shared_array;
    access.offset = address - Polynomial::of(*access.base);
  }
  lifted_.accesses.push_back(std::move(access));
}

}  // namespace warpcheck::proof

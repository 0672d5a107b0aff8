// Operations on bits, where they are arithmetic: masks, multiples of powers of two, few bits.
#include <algorithm>
#include <bit>

#include "proof/lift/executor.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

using ptx::analysis::has_mnemonic;
using ptx::analysis::mnemonic;
using ptx::analysis::type_of;

constexpr int kMostSelectedBits = 6;
constexpr unsigned kMostSmallBits = 10;

std::uint64_t all_bits(unsigned width) { return width == 64 ? ~0ULL : (1ULL << width) - 1; }

/// The largest 2^n, up to 2^31, that divides every factor; 1 for 0.
std::int64_t binary_divisor(const Polynomial& value) {
  std::int64_t divisor = std::int64_t{1} << 31;
  if (value.is_zero()) return 1;
  while (divisor > 1 && !value.is_multiple_of(divisor)) divisor /= 2;
  return divisor;
}

}  // namespace

std::optional<Value> Executor::bitwise(const ptx::Instruction& instruction, const State& state) {
  const ptx::Type type = type_of(instruction);
  const std::string operation(mnemonic(instruction));
  if (type == ptx::Type::pred) {
    const Formula left = predicate(instruction.operands.at(1), state);
    if (operation == "not") return terms_.negate(left);
    const Formula right = predicate(instruction.operands.at(2), state);
    if (operation == "and") return terms_.all({left, right});
    if (operation == "or") return terms_.any({left, right});
    return terms_.any(
        {terms_.all({left, terms_.negate(right)}), terms_.all({terms_.negate(left), right})});
  }
  const Polynomial left = source(instruction, 1, state);
  if (operation == "not") return -1 - left;
  const Polynomial right = source(instruction, 2, state);
  const auto width = static_cast<unsigned>(ptx::bytes(type) * 8);
  if (left == right) return operation == "xor" ? Polynomial(0) : left;
  const auto constant = right.constant() ? right.constant() : left.constant();
  if (constant) {
    const Polynomial& value = right.constant() ? left : right;
    const std::uint64_t mask = static_cast<std::uint64_t>(*constant) & all_bits(width);
    const auto both = masked(value, mask, width, state);
    if (!both) return std::nullopt;
    if (operation == "and") return *both;
    const auto number = static_cast<std::int64_t>(mask);
    return operation == "or" ? value + number - *both : value + number - Polynomial(2) * *both;
  }
  if (const auto none = disjoint_bits(left, right, state)) {
    return operation == "and" ? Polynomial(0) : *none;
  }
  if (const auto small = small_bitwise(operation, left, right, state)) return *small;
  const IntegerType seen = {width, true};
  return signed_bits(operation, observed(left, seen, state), observed(right, seen, state), width);
}

/// Any number with the sign and the limits of the result: `(x | y) >= 0` tests two numbers at once,
/// as `(x | y) >> 32 == 0` does before a division of narrow numbers.
Polynomial Executor::signed_bits(const std::string& operation, const Polynomial& left,
                                 const Polynomial& right, unsigned width) {
  const Formula one = terms_.less(left, 0);
  const Formula other = terms_.less(right, 0);
  const Formula both = terms_.all({one, other});
  const Formula either = terms_.any({one, other});
  const Formula is_negative = operation == "and"  ? both
                              : operation == "or" ? either
                                                  : terms_.all({either, terms_.negate(both)});
  const Polynomial value = unknown_integer("bits of two numbers", width);
  const Formula sign = terms_.less(value, 0);
  const SymbolId id = value.symbols().front();
  terms_.add_fact(id, terms_.any({terms_.negate(is_negative), sign}));
  terms_.add_fact(id, terms_.any({is_negative, terms_.negate(sign)}));
  const bool is_and = operation == "and";
  std::vector<Formula> limits = {terms_.at_most(value, is_and ? left : left + right)};
  if (is_and) limits.push_back(terms_.at_most(value, right));
  if (operation == "or") {
    limits.push_back(terms_.at_most(left, value));
    limits.push_back(terms_.at_most(right, value));
  }
  // On other paths, the operands may be out of the range of the type.
  const std::int64_t most = *terms_.range(value).most;
  terms_.add_fact(id, terms_.any({either, terms_.less(most, left), terms_.less(most, right),
                                  terms_.all(limits)}));
  return value;
}

/// bfi: the low bits of the first operand replace a field of the second one.
std::optional<Value> Executor::inserted_bits(const ptx::Instruction& instruction,
                                             const State& state) {
  const auto width = static_cast<unsigned>(ptx::bytes(type_of(instruction)) * 8);
  const auto position = source(instruction, 3, state).constant();
  const auto length = source(instruction, 4, state).constant();
  if (!position || !length || *position < 0 || *length < 1 || *position + *length > width ||
      *position > 61) {
    return std::nullopt;
  }
  const std::uint64_t field = all_bits(static_cast<unsigned>(*length));
  const Polynomial whole = source(instruction, 2, state);
  const auto replaced = masked(whole, field << *position, width, state);
  const bool keeps_all = *position + *length == width;  // higher bits are beyond the register
  const Polynomial added = source(instruction, 1, state);
  const auto low = keeps_all ? added : masked(added, field, width, state);
  if (!replaced || !low) return std::nullopt;
  return whole - *replaced + *low * Polynomial(std::int64_t{1} << *position);
}

/// A register that consists of narrower ones, the lowest first.
std::optional<Value> Executor::packed(const ptx::Vector& parts, const State& state) {
  Polynomial sum;
  unsigned position = 0;
  for (const ptx::Element& element : parts.elements) {
    const auto* const reg = std::get_if<ptx::Register>(&element);
    const auto* const number = reg == nullptr ? nullptr : state.value<Polynomial>(reg->index);
    if (number == nullptr) return std::nullopt;
    const auto type = integer_type(kernel_.registers[reg->index].type);
    if (!type || position > 61 || terms_.is_data(*number)) return std::nullopt;
    const Polynomial digit = observed(*number, {type->width, false}, state);
    sum = sum + Polynomial(std::int64_t{1} << position) * digit;
    position += type->width;
  }
  return sum;
}

/// The narrower registers of which a register consists.
void Executor::unpack(const ptx::Instruction& instruction, State& state) {
  const auto& parts = std::get<ptx::Vector>(instruction.operands.at(0)).elements;
  const auto* const reg = ptx::analysis::operand<ptx::Register>(instruction, 1);
  const auto* const number = reg == nullptr ? nullptr : state.value<Polynomial>(reg->index);
  const auto width = static_cast<unsigned>(ptx::bytes(type_of(instruction)) * 8);
  const unsigned part_width = width / static_cast<unsigned>(parts.size());
  if (number == nullptr || terms_.is_data(*number) || part_width > 32) {
    return forget_results(instruction, state);
  }
  const Polynomial whole = *number;
  const Formula guard = guard_of(instruction, state);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto* const target = std::get_if<ptx::Register>(&parts[i]);
    if (target == nullptr) continue;
    const std::int64_t weight = std::int64_t{1} << (part_width * i);
    std::optional<Value> value = unknown_value(target->index);
    if (value && std::holds_alternative<Polynomial>(*value)) {
      const Polynomial rest =
          i == 0 ? whole : terms_.floor_div(observed(whole, {width, false}, state), weight);
      value = terms_.remainder(rest, std::int64_t{1} << part_width);
    }
    put_register(target->index, std::move(value), guard, state);
  }
}

/// value & mask, modulo 2 to the width.
std::optional<Polynomial> Executor::masked(const Polynomial& value, std::uint64_t mask,
                                           unsigned width, const State& state) {
  if (mask == 0) return Polynomial(0);
  if (mask == all_bits(width)) return value;
  const int low = std::countr_zero(mask);
  const int high = 64 - std::countl_zero(mask);
  if (low > 0 && low < 62 && terms_.range(value).is_within(0, (std::int64_t{1} << low) - 1)) {
    return Polynomial(0);
  }
  const bool is_run = mask >> low == all_bits(static_cast<unsigned>(high - low));
  if (!is_run || high > 62) {
    return high == 64 && is_run
               ? std::optional(value - terms_.remainder(value, std::int64_t{1} << low))
               : selected_bits(value, mask);
  }
  Polynomial top = value;
  const std::int64_t modulus = std::int64_t{1} << high;
  if (high < static_cast<int>(width) && !implies(state, terms_.within(value, 0, modulus - 1))) {
    top = terms_.remainder(value, modulus);
  }
  return top - terms_.remainder(value, std::int64_t{1} << low);
}

/// The sum of the bits of a mask, if they are few.
std::optional<Polynomial> Executor::selected_bits(const Polynomial& value, std::uint64_t mask) {
  if (std::popcount(mask) > kMostSelectedBits || mask >> 62 != 0) return std::nullopt;
  Polynomial sum;
  for (int bit = 0; bit < 62; ++bit) {
    if ((mask >> bit & 1U) == 0) continue;
    const std::int64_t weight = std::int64_t{1} << bit;
    sum = sum + Polynomial(weight) * terms_.remainder(terms_.floor_div(value, weight), 2);
  }
  return sum;
}

/// The sum of two numbers that have no bit in common: one is a multiple of 2^n, and the
/// other one is less than that; or one has bits from 2^n to 2^m only, and the other one has none of
/// these.
std::optional<Polynomial> Executor::disjoint_bits(const Polynomial& left, const Polynomial& right,
                                                  const State& state) {
  for (const auto& [multiple, other] : {std::pair(left, right), std::pair(right, left)}) {
    const std::int64_t divisor = binary_divisor(multiple);
    if (divisor > 1 && implies(state, terms_.within(other, 0, divisor - 1))) return left + right;
    const Interval range = terms_.range(other);
    if (!range.least || !range.most || *range.least < 0 || *range.most >= std::int64_t{1} << 31) {
      continue;
    }
    const auto bits = std::bit_width(static_cast<std::uint64_t>(*range.most));
    const Polynomial rest = terms_.remainder(multiple, std::int64_t{1} << bits);
    const std::int64_t lowest = binary_divisor(other);
    if (implies(state, terms_.within(rest, 0, lowest - 1))) return left + right;
  }
  return std::nullopt;
}

/// The bits of a small number that is not negative; empty if it may be another one.
std::optional<int> Executor::small_bits(const Polynomial& value, const State& state) {
  const std::int64_t most = (std::int64_t{1} << kMostSmallBits) - 1;
  const Interval range = terms_.range(value);
  if (range.is_within(0, most)) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(*range.most)));
  }
  if (is_guessing() || !implies(state, terms_.within(value, 0, most))) return std::nullopt;
  int bits = static_cast<int>(kMostSmallBits);
  while (bits > 1 && implies(state, terms_.less(value, std::int64_t{1} << (bits - 1)))) --bits;
  return bits;
}

/// The result of two small numbers, bit by bit.
std::optional<Polynomial> Executor::small_bitwise(const std::string& operation,
                                                  const Polynomial& left, const Polynomial& right,
                                                  const State& state) {
  const auto left_bits = small_bits(left, state);
  const auto right_bits = left_bits ? small_bits(right, state) : std::nullopt;
  if (!left_bits || !right_bits) return std::nullopt;
  Polynomial sum;
  for (int bit = 0; bit < std::max(*left_bits, *right_bits); ++bit) {
    const std::int64_t weight = std::int64_t{1} << bit;
    const auto bit_of = [&](const Polynomial& value) {
      return terms_.remainder(terms_.floor_div(value, weight), 2);
    };
    const Formula first = terms_.equal(bit_of(left), 1);
    const Formula second = terms_.equal(bit_of(right), 1);
    const Formula is_set = operation == "and" ? terms_.all({first, second})
                           : operation == "or"
                               ? terms_.any({first, second})
                               : terms_.negate(terms_.equal(bit_of(left), bit_of(right)));
    sum = sum + Polynomial(weight) * terms_.choice(is_set, 1, 0);
  }
  return sum;
}

}  // namespace warpcheck::proof

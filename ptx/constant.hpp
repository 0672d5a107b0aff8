// Constants and what their operators make of them (PTX ISA, section 4.5).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ptx/operand.hpp"

namespace warpcheck::ptx {

/// A symbol's address in an initialiser: `generic(table)+12`, `0xFF00(table)`.
struct SymbolAddress {
  Symbol symbol;
  bool generic = false;
  std::uint64_t mask = ~0ull;
};

using Constant = std::variant<Integer, Float, SymbolAddress>;

/// A result, or what is wrong, as an error says it.
using Folded = std::variant<Constant, std::string>;

/// The number that a token spells: decimal, hexadecimal, octal or binary with an optional `U`,
/// decimal floating point, or the bits `0f...` and `0d...`.
[[nodiscard]] Folded read_number(std::string_view text);

/// `operation operand` for + - ~ !.
[[nodiscard]] Folded fold(std::string_view operation, const Constant& operand);

/// `left operation right` for the binary operators of C on integers, + - * / on decimal floating
/// point, and a symbol plus or minus an integer. Integers wrap to 64 bits; one unsigned operand
/// makes the result unsigned, as in C.
[[nodiscard]] Folded fold(std::string_view operation, const Constant& left, const Constant& right);

/// How tightly a binary operator binds, 1 loosest; 0 for what is no binary operator.
[[nodiscard]] int precedence(std::string_view operation);

/// "an integer", "a floating-point constant", "an address".
[[nodiscard]] std::string_view kind_of(const Constant& constant);

}  // namespace warpcheck::ptx

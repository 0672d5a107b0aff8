// Constants and the evaluation of their operators (PTX ISA, section 4.5).
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

/// A result, or the message of an error.
using Folded = std::variant<Constant, std::string>;

/// The number of a token: decimal, hexadecimal, octal or binary with an optional `U`, decimal
/// floating point, or the bits `0f...` and `0d...`.
[[nodiscard]] Folded read_number(std::string_view text);

/// `operation operand` for + - ~ !.
[[nodiscard]] Folded fold(std::string_view operation, const Constant& operand);

/// `left operation right` for the binary operators of C on integers, + - * / on decimal
/// floating-point constants, and a symbol plus or minus an integer. Integers wrap to 64 bits; the
/// result is unsigned if an operand is, as in C.
[[nodiscard]] Folded fold(std::string_view operation, const Constant& left, const Constant& right);

/// The precedence of a binary operator, 1 for the lowest; 0 if `operation` is no binary operator.
[[nodiscard]] int precedence(std::string_view operation);

/// "an integer", "a floating-point constant", "an address".
[[nodiscard]] std::string_view kind_of(const Constant& constant);

}  // namespace warpcheck::ptx

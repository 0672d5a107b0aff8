#include "ptx/constant.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>

namespace warpcheck::ptx {
namespace {

struct Precedence {
  std::string_view operation;
  int level;
};

constexpr std::array kPrecedence = {
    Precedence{"||", 1}, Precedence{"&&", 2}, Precedence{"|", 3},  Precedence{"^", 4},
    Precedence{"&", 5},  Precedence{"==", 6}, Precedence{"!=", 6}, Precedence{"<", 7},
    Precedence{">", 7},  Precedence{"<=", 7}, Precedence{">=", 7}, Precedence{"<<", 8},
    Precedence{">>", 8}, Precedence{"+", 9},  Precedence{"-", 9},  Precedence{"*", 10},
    Precedence{"/", 10}, Precedence{"%", 10},
};

Folded malformed(std::string_view text) {
  return fmt::format("'{}' is not a number", text.substr(0, 60));
}

Folded read_bits(std::string_view text, std::size_t digits, bool is_single) {
  std::uint64_t bits = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, bits, 16);
  if (text.size() != digits + 2 || error != std::errc() || stop != end) {
    return fmt::format("'{}' is not a number: expected {} hexadecimal digits after '{}'",
                       text.substr(0, 60), digits, text.substr(0, 2));
  }
  return Float{bits, is_single};
}

Folded read_integer(std::string_view text) {
  std::string_view digits = text;
  const bool is_unsigned = digits.back() == 'U' || digits.back() == 'u';
  if (is_unsigned) digits.remove_suffix(1);
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    digits.remove_prefix(base == 8 ? 1 : 2);
  }
  std::uint64_t bits = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, bits, base);
  if (error == std::errc::result_out_of_range && stop == end) {
    return fmt::format("'{}' does not fit into 64 bits", text.substr(0, 60));
  }
  if (error != std::errc() || stop != end) return malformed(text);
  return Integer{bits, is_unsigned || bits >> 63 != 0};
}

Folded read_decimal(std::string_view text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    return fmt::format("'{}' is out of the range of .f64", text.substr(0, 60));
  }
  if (error != std::errc() || stop != end) return malformed(text);
  return Float{std::bit_cast<std::uint64_t>(value), false};
}

Folded integer(std::int64_t value) { return Integer{static_cast<std::uint64_t>(value), false}; }

Folded divide(bool remainder, Integer left, Integer right, bool is_unsigned) {
  if (right.bits == 0) return "division by zero";
  if (is_unsigned) {
    return Integer{remainder ? left.bits % right.bits : left.bits / right.bits, true};
  }
  // The quotient of the smallest integer and -1 wraps.
  if (right.bits == ~0ull) return Integer{remainder ? 0 : 0 - left.bits, false};
  const auto dividend = static_cast<std::int64_t>(left.bits);
  const auto divisor = static_cast<std::int64_t>(right.bits);
  return integer(remainder ? dividend % divisor : dividend / divisor);
}

Folded shift(bool to_left, Integer value, std::uint64_t count) {
  if (to_left) return Integer{count < 64 ? value.bits << count : 0, value.is_unsigned};
  if (value.is_unsigned) return Integer{count < 64 ? value.bits >> count : 0, true};
  return integer(static_cast<std::int64_t>(value.bits) >> (count < 64 ? count : 63));
}

Folded compare(std::string_view operation, Integer left, Integer right, bool is_unsigned) {
  // With the sign bits flipped, the unsigned order is the signed order.
  const std::uint64_t flip = is_unsigned ? 0 : 1ull << 63;
  const std::uint64_t a = left.bits ^ flip;
  const std::uint64_t b = right.bits ^ flip;
  if (operation == "==") return integer(a == b);
  if (operation == "!=") return integer(a != b);
  if (operation == "<") return integer(a < b);
  if (operation == ">") return integer(a > b);
  if (operation == "<=") return integer(a <= b);
  return integer(a >= b);
}

Folded fold_integers(std::string_view operation, Integer left, Integer right) {
  const bool is_unsigned = left.is_unsigned || right.is_unsigned;
  if (operation == "||") return integer(left.bits != 0 || right.bits != 0);
  if (operation == "&&") return integer(left.bits != 0 && right.bits != 0);
  if (operation == "|") return Integer{left.bits | right.bits, is_unsigned};
  if (operation == "^") return Integer{left.bits ^ right.bits, is_unsigned};
  if (operation == "&") return Integer{left.bits & right.bits, is_unsigned};
  if (operation == "<<" || operation == ">>") return shift(operation == "<<", left, right.bits);
  if (operation == "+") return Integer{left.bits + right.bits, is_unsigned};
  if (operation == "-") return Integer{left.bits - right.bits, is_unsigned};
  if (operation == "*") return Integer{left.bits * right.bits, is_unsigned};
  if (operation == "/" || operation == "%")
    return divide(operation == "%", left, right, is_unsigned);
  return compare(operation, left, right, is_unsigned);
}

Folded fold_floats(std::string_view operation, Float left, Float right) {
  if (left.is_single || right.is_single) return "0f constants cannot be operands";
  const auto a = std::bit_cast<double>(left.bits);
  const auto b = std::bit_cast<double>(right.bits);
  double value = 0.0;
  if (operation == "+") {
    value = a + b;
  } else if (operation == "-") {
    value = a - b;
  } else if (operation == "*") {
    value = a * b;
  } else if (operation == "/" && b != 0.0) {
    value = a / b;
  } else if (operation == "/") {
    return "division by zero";
  } else {
    return fmt::format("operator '{}' does not take floating-point constants", operation);
  }
  return Float{std::bit_cast<std::uint64_t>(value), false};
}

}  // namespace

Folded read_number(std::string_view text) {
  const char mark = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : ' ';
  if (mark == 'f') return read_bits(text, 8, true);
  if (mark == 'd') return read_bits(text, 16, false);
  if (mark != 'x' && text.find_first_of(".eE") != std::string_view::npos) return read_decimal(text);
  return read_integer(text);
}

Folded fold(std::string_view operation, const Constant& operand) {
  if (const auto* value = std::get_if<Integer>(&operand)) {
    if (operation == "-") return Integer{0 - value->bits, value->is_unsigned};
    if (operation == "~") return Integer{~value->bits, value->is_unsigned};
    if (operation == "!") return integer(value->bits == 0);
    return *value;
  }
  if (const auto* value = std::get_if<Float>(&operand); value != nullptr && !value->is_single) {
    if (operation == "+") return *value;
    if (operation == "-") return Float{value->bits ^ 1ull << 63, false};
  }
  return fmt::format("operator '{}' does not take {}", operation, kind_of(operand));
}

Folded fold(std::string_view operation, const Constant& left, const Constant& right) {
  const auto* left_integer = std::get_if<Integer>(&left);
  const auto* right_integer = std::get_if<Integer>(&right);
  if (left_integer != nullptr && right_integer != nullptr) {
    return fold_integers(operation, *left_integer, *right_integer);
  }
  const auto* left_float = std::get_if<Float>(&left);
  const auto* right_float = std::get_if<Float>(&right);
  if (left_float != nullptr && right_float != nullptr) {
    return fold_floats(operation, *left_float, *right_float);
  }
  const bool symbol_first = std::holds_alternative<SymbolAddress>(left);
  const Integer* distance = symbol_first ? right_integer : left_integer;
  const auto* address = std::get_if<SymbolAddress>(symbol_first ? &left : &right);
  if (distance != nullptr && address != nullptr &&
      (operation == "+" || (operation == "-" && symbol_first))) {
    SymbolAddress moved = *address;
    const auto addend = static_cast<std::uint64_t>(moved.symbol.addend);
    moved.symbol.addend = static_cast<std::int64_t>(operation == "+" ? addend + distance->bits
                                                                     : addend - distance->bits);
    return moved;
  }
  return fmt::format("operator '{}' does not take {} and {}", operation, kind_of(left),
                     kind_of(right));
}

int precedence(std::string_view operation) {
  for (const Precedence& row : kPrecedence) {
    if (row.operation == operation) return row.level;
  }
  return 0;
}

std::string_view kind_of(const Constant& constant) {
  constexpr std::array<std::string_view, 3> kKinds = {"an integer", "a floating-point constant",
                                                      "an address"};
  return kKinds[constant.index()];
}

}  // namespace warpcheck::ptx

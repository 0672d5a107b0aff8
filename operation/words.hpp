// The words and symbols of the language.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "operation/node.hpp"

namespace warpcheck::operation {

/// A symbol of two operands. A larger `precedence` binds more tightly.
struct BinarySymbol {
  std::string_view text;
  Op op;
  int precedence;
};

inline constexpr int kNotPrecedence = 3;
inline constexpr int kComparison = 4;
inline constexpr int kNegatePrecedence = 7;

inline constexpr std::array kBinarySymbols = {
    BinarySymbol{"or", Op::logical_or, 1},
    BinarySymbol{"and", Op::logical_and, 2},
    BinarySymbol{"==", Op::equal, kComparison},
    BinarySymbol{"!=", Op::unequal, kComparison},
    BinarySymbol{"<=", Op::less_equal, kComparison},
    BinarySymbol{">=", Op::greater_equal, kComparison},
    BinarySymbol{"<", Op::less, kComparison},
    BinarySymbol{">", Op::greater, kComparison},
    BinarySymbol{"+", Op::add, 5},
    BinarySymbol{"-", Op::subtract, 5},
    BinarySymbol{"*", Op::multiply, 6},
    BinarySymbol{"/", Op::divide, 6},
    BinarySymbol{"//", Op::floor_divide, 6},
    BinarySymbol{"%", Op::modulo, 6},
};

struct FunctionWord {
  std::string_view text;
  Op op;
  std::size_t arguments;
};

inline constexpr std::array kFunctions = {
    FunctionWord{"min", Op::minimum, 2},   FunctionWord{"max", Op::maximum, 2},
    FunctionWord{"select", Op::select, 3}, FunctionWord{"either", Op::either, 2},
    FunctionWord{"abs", Op::absolute, 1},  FunctionWord{"floor", Op::floor, 1},
    FunctionWord{"ceil", Op::ceil, 1},     FunctionWord{"trunc", Op::trunc, 1},
    FunctionWord{"round", Op::round, 1},   FunctionWord{"exp", Op::exp, 1},
    FunctionWord{"exp2", Op::exp2, 1},     FunctionWord{"expm1", Op::expm1, 1},
    FunctionWord{"log", Op::log, 1},       FunctionWord{"log2", Op::log2, 1},
    FunctionWord{"log10", Op::log10, 1},   FunctionWord{"log1p", Op::log1p, 1},
    FunctionWord{"sqrt", Op::sqrt, 1},     FunctionWord{"rsqrt", Op::rsqrt, 1},
    FunctionWord{"cbrt", Op::cbrt, 1},     FunctionWord{"sin", Op::sin, 1},
    FunctionWord{"cos", Op::cos, 1},       FunctionWord{"tan", Op::tan, 1},
    FunctionWord{"asin", Op::asin, 1},     FunctionWord{"acos", Op::acos, 1},
    FunctionWord{"atan", Op::atan, 1},     FunctionWord{"sinh", Op::sinh, 1},
    FunctionWord{"cosh", Op::cosh, 1},     FunctionWord{"tanh", Op::tanh, 1},
    FunctionWord{"erf", Op::erf, 1},       FunctionWord{"erfc", Op::erfc, 1},
    FunctionWord{"pow", Op::pow, 2},
};

/// The names, in the order of Reduction.
inline constexpr std::array<std::string_view, 10> kReductions = {
    "sum", "prod", "max", "min", "any", "all", "argmax", "argmin", "any_argmax", "any_argmin"};

/// A name that has no other meaning in the operation.
inline constexpr std::string_view kPi = "pi";

/// A conversion is "as_" followed by the name of a scalar type.
inline constexpr std::string_view kConversion = "as_";

}  // namespace warpcheck::operation

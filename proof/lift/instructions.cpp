#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "proof/lift/executor.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

using ptx::Instruction;
using ptx::analysis::has_mnemonic;
using ptx::analysis::has_modifier;
using ptx::analysis::mnemonic;
using ptx::analysis::type_of;

/// Instructions whose only effect is on the registers of their first operand. Those without a case
/// in result() give any value.
constexpr std::array kPure = {
    "add",   "sub",      "mul",        "mad",      "fma",   "div",  "rem",  "neg",  "abs",
    "min",   "max",      "rcp",        "sqrt",     "rsqrt", "ex2",  "lg2",  "sin",  "cos",
    "tanh",  "copysign", "testp",      "mov",      "selp",  "slct", "set",  "cvt",  "cvta",
    "shl",   "shr",      "shf",        "and",      "or",    "xor",  "not",  "cnot", "lop3",
    "bfe",   "bfi",      "bfind",      "brev",     "popc",  "clz",  "prmt", "dp4a", "dp2a",
    "sad",   "mul24",    "mad24",      "addc",     "subc",  "madc", "shfl", "vote", "match",
    "redux", "elect",    "activemask", "isspacep", "szext", "bmsk"};

/// Instructions that change no register and no memory that the properties are about.
constexpr std::array kNoEffect = {"membar",    "fence",         "nanosleep", "prefetch",
                                  "prefetchu", "applypriority", "pmevent",   "griddepcontrol"};

bool is_one_of(std::string_view text, const auto& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

void throw_not_covered(const Instruction& instruction) {
  throw Unsupported(
      fmt::format("the instruction {} is not covered", fmt::join(instruction.parts, ".")));
}

void Executor::step(const Instruction& instruction, State& state) {
  const std::string_view name = mnemonic(instruction);
  if (has_mnemonic(instruction, {"bra", "ret", "exit", "trap"}) || is_one_of(name, kNoEffect))
    return;
  if (execute_bulk(instruction, state) || execute_by_warpgroup(instruction, state)) return;
  if (has_mnemonic(instruction, {"bar", "barrier"})) {
    const auto* const number = ptx::analysis::operand<ptx::Integer>(instruction, 0);
    const bool is_warp = has_modifier(instruction, "warp");
    const bool is_plain = has_modifier(instruction, "sync") && instruction.operands.size() == 1 &&
                          number != nullptr && number->bits == 0 && !instruction.guard;
    if (!is_warp && !is_plain) {
      throw Unsupported("a barrier is not __syncthreads()");
    }
    if (is_warp) meet_in_warp(instruction, state);
    return;
  }
  if (has_mnemonic(instruction, {"shfl", "vote", "match", "redux", "elect"})) {
    meet_in_warp(instruction, state);
  }
  if (access_memory(instruction, state) || execute_by_warp(instruction, state)) return;
  if (has_mnemonic(instruction, {"setp"})) return compare(instruction, state);
  if (has_mnemonic(instruction, {"mov"}) &&
      std::holds_alternative<ptx::Vector>(instruction.operands.at(0))) {
    return unpack(instruction, state);
  }
  if (!is_one_of(name, kPure)) throw_not_covered(instruction);
  std::optional<Value> value;
  try {
    value = result(instruction, state);
  } catch (const TooLarge&) {
    value.reset();  // any value: those of large numbers seldom matter
  }
  if (value) {
    put(instruction, std::move(value), state);
  } else {
    forget_results(instruction, state);
  }
}

/// The lanes of a mask, the last operand, wait for one another. Without `.sync` there is no mask.
void Executor::meet_in_warp(const Instruction& instruction, const State& state) {
  if (!has_modifier(instruction, "sync")) return;
  const auto mask = source(instruction, instruction.operands.size() - 1, state).constant();
  const bool is_whole = mask && static_cast<std::uint32_t>(*mask) == ~std::uint32_t{0};
  record_warp_point({}, guarded_path(instruction, state), is_whole);
}

/// The value of the first operand; empty: any.
std::optional<Value> Executor::result(const Instruction& instruction, State& state) {
  if (has_mnemonic(instruction, {"mov"})) {
    const auto* const parts = ptx::analysis::operand<ptx::Vector>(instruction, 1);
    if (parts != nullptr) return packed(*parts, state);
    if (moves_bits_of_float(instruction)) return std::nullopt;
    const auto* const number = ptx::analysis::operand<ptx::Integer>(instruction, 1);
    if (number != nullptr && type_of(instruction) == ptx::Type::pred) {
      return number->bits == 0 ? kFalse : kTrue;
    }
    return operand_value(instruction.operands.at(1), state);
  }
  if (has_mnemonic(instruction, {"cvta"})) return converted_address(instruction, state);
  if (has_mnemonic(instruction, {"cvt"})) return conversion(instruction, state);
  if (has_mnemonic(instruction, {"selp"})) return selection(instruction, state);
  if (has_mnemonic(instruction, {"and", "or", "xor", "not"})) return bitwise(instruction, state);
  if (has_mnemonic(instruction, {"bfi"})) return inserted_bits(instruction, state);
  for (const char* const modifier : {"cc", "sat", "relu"}) {
    if (has_modifier(instruction, modifier)) return std::nullopt;
  }
  const auto type = integer_type(type_of(instruction));
  return type ? arithmetic(instruction, *type, state) : std::nullopt;
}

std::optional<Value> Executor::arithmetic(const Instruction& instruction, IntegerType type,
                                          State& state) {
  const auto operand = [&](std::size_t i) { return source(instruction, i, state); };
  const auto exact = [&](std::size_t i) { return observed(instruction, i, type, state); };
  // nvcc masks bits that a later shift to the left removes. They are multiples of 2^width then.
  const auto congruent = [&](const Polynomial& value) {
    return type.width < 64 ? value.without_multiples_of(std::int64_t{1} << type.width) : value;
  };
  if (has_mnemonic(instruction, {"add"})) return congruent(operand(1) + operand(2));
  if (has_mnemonic(instruction, {"sub"})) return congruent(operand(1) - operand(2));
  if (has_mnemonic(instruction, {"neg"})) return -operand(1);
  if (has_mnemonic(instruction, {"mul", "mad"})) {
    const bool adds = has_mnemonic(instruction, {"mad"});
    const bool is_wide = has_modifier(instruction, "wide");
    if (has_modifier(instruction, "hi")) return high_product(instruction, type, state);
    if (!is_wide && !has_modifier(instruction, "lo")) return std::nullopt;
    const Polynomial product = is_wide ? exact(1) * exact(2) : operand(1) * operand(2);
    const Polynomial sum = adds ? product + operand(3) : product;
    return is_wide ? sum : congruent(sum);
  }
  if (has_mnemonic(instruction, {"shl"})) {
    const auto count = operand(2).constant();
    if (!count || *count < 0 || *count > 61) return std::nullopt;
    if (*count >= static_cast<std::int64_t>(type.width)) return Polynomial(0);
    return congruent(operand(1) * Polynomial(std::int64_t{1} << *count));
  }
  if (has_mnemonic(instruction, {"shr"})) return shift_right(instruction, type, state);
  if (has_mnemonic(instruction, {"div", "rem"})) return division(instruction, type, state);
  if (has_mnemonic(instruction, {"min", "max"})) {
    const Polynomial left = exact(1);
    const Polynomial right = exact(2);
    Formula is_less = terms_.at_most(left, right);
    if (implies(state, is_less)) {
      is_less = kTrue;
    } else if (implies(state, terms_.negate(is_less))) {
      is_less = kFalse;
    }
    const bool is_minimum = has_mnemonic(instruction, {"min"});
    return is_minimum ? terms_.choice(is_less, left, right) : terms_.choice(is_less, right, left);
  }
  if (has_mnemonic(instruction, {"abs"})) {
    const Polynomial value = exact(1);
    return terms_.choice(terms_.less(value, 0), -value, value);
  }
  if (has_mnemonic(instruction, {"bfe"}) && !type.is_signed) {
    const auto first = operand(2).constant();
    const auto count = operand(3).constant();
    if (!first || !count || *first < 0 || *count < 1 || *first + *count > type.width) {
      return std::nullopt;
    }
    return terms_.remainder(terms_.floor_div(exact(1), std::int64_t{1} << *first),
                            std::int64_t{1} << *count);
  }
  return std::nullopt;
}

/// A conversion between integers. The narrower value is equal modulo 2 to its width.
std::optional<Value> Executor::conversion(const Instruction& instruction, const State& state) {
  const auto& parts = instruction.parts;
  if (parts.size() < 3 || has_modifier(instruction, "sat")) return std::nullopt;
  const auto to = ptx::type(parts[parts.size() - 2]);
  const auto from = ptx::type(parts[parts.size() - 1]);
  if (!to || !from) return std::nullopt;
  const auto target = integer_type(*to);
  const auto given = integer_type(*from);
  if (!target || !given) return std::nullopt;
  const auto* const reg = ptx::analysis::operand<ptx::Register>(instruction, 0);
  const bool widens =
      reg != nullptr && ptx::bytes(kernel_.registers[reg->index].type) * 8 > given->width;
  // A narrow result in a wide register is extended.
  if (reg != nullptr && ptx::bytes(kernel_.registers[reg->index].type) * 8 > target->width) {
    return observed(observed(instruction, 1, *given, state), *target, state);
  }
  return widens ? observed(instruction, 1, *given, state) : source(instruction, 1, state);
}

std::optional<Value> Executor::shift_right(const Instruction& instruction, IntegerType type,
                                           const State& state) {
  const auto count = source(instruction, 2, state).constant();
  if (!count || *count < 0 || *count >= static_cast<std::int64_t>(type.width)) return std::nullopt;
  const Polynomial value = observed(instruction, 1, type, state);
  if (type.is_signed && *count == static_cast<std::int64_t>(type.width) - 1) {
    const Formula is_negative = terms_.less(value, 0);
    if (implies(state, terms_.negate(is_negative))) return Polynomial(0);
    if (implies(state, is_negative)) return Polynomial(-1);
    return terms_.choice(is_negative, -1, 0);
  }
  if (*count > 62) return std::nullopt;
  // The sign of the dividend of a reciprocal: a guess, which is confirmed later.
  if (is_guessing() && *count == static_cast<std::int64_t>(type.width) - 1) return Polynomial(0);
  return without_reciprocal(terms_.floor_div(value, std::int64_t{1} << *count), state);
}

/// The upper half of the product with a constant.
std::optional<Value> Executor::high_product(const Instruction& instruction, IntegerType type,
                                            const State& state) {
  const bool has_constant =
      source(instruction, 1, state).constant() || source(instruction, 2, state).constant();
  if (type.width != 32 || !has_constant || has_mnemonic(instruction, {"mad"})) return std::nullopt;
  const Polynomial product =
      observed(instruction, 1, type, state) * observed(instruction, 2, type, state);
  return without_reciprocal(terms_.floor_div(product, std::int64_t{1} << type.width), state);
}

/// Compilers divide x by d as floor(x m / 2^n), where m d = 2^n + e. That equals floor(x / d) if x
/// is not negative and x e < 2^n: x m / 2^n exceeds x / d by x e / (d 2^n), which is less than 1 /
/// d. Granlund and Montgomery, Division by invariant integers using multiplication, 1994.
Polynomial Executor::without_reciprocal(const Polynomial& quotient, const State& state) {
  const std::vector<SymbolId> symbols = quotient.symbols();
  if (symbols.size() != 1 || quotient != Polynomial::of(symbols.front())) return quotient;
  const Definition definition = terms_[symbols.front()].definition;
  const auto* const division = std::get_if<FloorDivision>(&definition);
  if (division == nullptr) return quotient;
  const std::int64_t factor = division->dividend.divisor();
  if (factor < 2) return quotient;
  const std::int64_t divisor = (division->divisor + factor - 1) / factor;
  const std::int64_t excess = divisor * factor - division->divisor;
  const Polynomial dividend = division->dividend.divided_by(factor);
  const std::int64_t most =
      excess == 0 ? std::numeric_limits<std::int32_t>::max() : (division->divisor - 1) / excess;
  if (!is_guessing() && !implies(state, terms_.within(dividend, 0, most))) return quotient;
  return terms_.floor_div(dividend, divisor);
}

std::optional<Value> Executor::division(const Instruction& instruction, IntegerType type,
                                        State& state) {
  const Polynomial dividend = observed(instruction, 1, type, state);
  const Polynomial divisor = observed(instruction, 2, type, state);
  const auto whole = quotient(dividend, divisor, state);
  if (!whole) return std::nullopt;
  if (has_mnemonic(instruction, {"div"})) return *whole;
  return dividend - divisor * *whole;
}

/// The quotient, rounded towards zero.
std::optional<Polynomial> Executor::quotient(const Polynomial& dividend, const Polynomial& divisor,
                                             State& state) {
  const bool is_positive = implies(state, terms_.at_most(0, dividend));
  if (const auto number = divisor.constant()) {
    if (*number <= 0) return std::nullopt;
    if (is_positive) return terms_.floor_div(dividend, *number);
    return terms_.choice(terms_.less(dividend, 0), -terms_.floor_div(-dividend, *number),
                         terms_.floor_div(dividend, *number));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& product = domain_.products[axis];
    if (!product || domain_.block[axis] != dividend) continue;
    if (divisor == product->divisor || implies(state, terms_.equal(divisor, product->divisor))) {
      return product->quotient;
    }
  }
  if (!implies(state, terms_.less(0, divisor))) return std::nullopt;
  if (divisor.terms().size() == 1) {
    if (auto exact = dividend.divided_by(divisor.terms().front())) return exact;
  }
  if (!is_positive) return std::nullopt;
  if (implies(state, terms_.less(dividend, divisor))) return Polynomial(0);
  state.assume_given(terms_, terms_.less(0, divisor));
  state.assume_given(terms_, terms_.at_most(0, dividend));
  return quotient_by_size(dividend, divisor, state);
}

/// Adds to the state what the solver does not show: floor(floor(x / a) / d) = floor(x / (a d)), and
/// x / d < c if x < c d.
Polynomial Executor::quotient_by_size(const Polynomial& dividend, const Polynomial& divisor,
                                      State& state) {
  const std::vector<SymbolId> symbols = dividend.symbols();
  const bool is_symbol = symbols.size() == 1 && dividend == Polynomial::of(symbols.front());
  const Definition definition = is_symbol ? terms_[symbols.front()].definition : Definition{};
  const auto* const inner = std::get_if<Quotient>(&definition);
  const Polynomial whole = inner == nullptr
                               ? terms_.quotient(dividend, divisor)
                               : terms_.quotient(inner->dividend, inner->divisor * divisor);
  if (inner != nullptr) {
    state.assume_given(terms_, terms_.at_most(whole * divisor, dividend));
    state.assume_given(terms_, terms_.less(dividend, whole * divisor + divisor));
  }
  if (divisor.terms().size() != 1) return whole;
  const std::vector<Formula> path = state.path;
  for (const Formula condition : path) {
    const FormulaNode& node = terms_.node(condition);
    if (node.kind != FormulaKind::at_most_zero) continue;
    const Polynomial limit = dividend + 1 - node.polynomial;  // the dividend is less
    const auto count = limit.divided_by(divisor.terms().front());
    if (count) state.assume_given(terms_, terms_.less(whole, *count));
  }
  return whole;
}

std::optional<Value> Executor::selection(const Instruction& instruction, const State& state) {
  const auto first = operand_value(instruction.operands.at(1), state);
  const auto second = operand_value(instruction.operands.at(2), state);
  if (!first || !second) return std::nullopt;
  const auto* const one = std::get_if<Polynomial>(&*first);
  const auto* const other = std::get_if<Polynomial>(&*second);
  if (one == nullptr || other == nullptr) return std::nullopt;
  const bool is_wide = ptx::bytes(type_of(instruction)) == 8;
  return terms_.choice(predicate(instruction.operands.at(3), state), *one, *other, is_wide);
}

void Executor::compare(const Instruction& instruction, State& state) {
  Formula value = comparison(instruction, state);
  for (const char* const logic : {"and", "or", "xor"}) {
    if (!has_modifier(instruction, logic) || instruction.operands.size() < 4) continue;
    const Formula other = predicate(instruction.operands[3], state);
    if (logic == std::string_view("and")) value = terms_.all({value, other});
    if (logic == std::string_view("or")) value = terms_.any({value, other});
    if (logic == std::string_view("xor")) return forget_results(instruction, state);
  }
  if (!std::holds_alternative<ptx::Register>(instruction.operands.front())) {
    return forget_results(instruction, state);
  }
  put(instruction, value, state);
}

Formula Executor::comparison(const Instruction& instruction, const State& state) {
  const auto type = integer_type(type_of(instruction));
  const auto known =
      type ? integer_comparison(instruction, *type, state) : scalar_comparison(instruction, state);
  return known ? *known : terms_.unknown_truth("a condition on data", Level::thread);
}

std::optional<Formula> Executor::integer_comparison(const Instruction& instruction,
                                                    IntegerType type, const State& state) {
  const std::string& relation = instruction.parts.at(1);
  const bool tests_equality = relation == "eq" || relation == "ne";
  const bool is_unsigned =
      relation == "lo" || relation == "ls" || relation == "hi" || relation == "hs";
  const IntegerType seen = {type.width, (type.is_signed || tests_equality) && !is_unsigned};
  const Polynomial difference = source(instruction, 1, state) - source(instruction, 2, state);
  if (const auto number = difference.constant(); number && tests_equality && type.width < 64) {
    const bool are_equal = *number % (std::int64_t{1} << type.width) == 0;
    return are_equal == (relation == "eq") ? kTrue : kFalse;
  }
  const Polynomial left = observed(instruction, 1, seen, state);
  const Polynomial right = observed(instruction, 2, seen, state);
  if (relation == "eq") return terms_.equal(left, right);
  if (relation == "ne") return terms_.negate(terms_.equal(left, right));
  if (relation == "lt" || relation == "lo") return terms_.less(left, right);
  if (relation == "le" || relation == "ls") return terms_.at_most(left, right);
  if (relation == "gt" || relation == "hi") return terms_.less(right, left);
  if (relation == "ge" || relation == "hs") return terms_.at_most(right, left);
  return std::nullopt;
}

/// A comparison of two floating-point parameters or constants, the same in the whole grid.
std::optional<Formula> Executor::scalar_comparison(const Instruction& instruction,
                                                   const State& state) {
  const auto left = operand_value(instruction.operands.at(1), state);
  const auto right = operand_value(instruction.operands.at(2), state);
  if (!left || !right) return std::nullopt;
  const auto* one = std::get_if<Scalar>(&*left);
  const auto* other = std::get_if<Scalar>(&*right);
  if (one == nullptr || other == nullptr) return std::nullopt;
  const std::string& relation = instruction.parts.at(1);
  const bool is_symmetric = relation == "eq" || relation == "neu";
  if (is_symmetric && one->name < other->name) std::swap(one, other);  // parameters come first
  const std::string type = instruction.parts.back();
  const auto named = [&](std::string_view word) {
    return terms_.named_truth(fmt::format("{} {} {} {}", one->name, word, other->name, type));
  };
  // A number differs from another one, or from NaN, if it is not equal to it.
  return relation == "neu" ? terms_.negate(named("eq")) : named(relation);
}

}  // namespace warpcheck::proof

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "proof/lift/executor.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

constexpr std::int64_t kMostWide = std::int64_t{1} << 62;
constexpr std::int64_t kMostArrayAddress = std::int64_t{1} << 20;
// A multiprocessor has at most 228 KB of shared memory: CUDA C++ Programming Guide, compute
// capability 9.0 and 10.0. Arrays of a block lie within it.
constexpr std::int64_t kMostSharedAddress = 233'472;

/// The values of a type. Those of 64 bits are kept far from its ends, so that sums of them fit.
Interval limits_of(IntegerType type) {
  if (type.width == 64) return {type.is_signed ? -kMostWide : 0, kMostWide};
  const std::int64_t half = std::int64_t{1} << (type.width - 1);
  return type.is_signed ? Interval{-half, half - 1} : Interval{0, 2 * half - 1};
}

/// The value of a type that is equal to a number modulo 2 to its width.
std::int64_t wrapped(std::int64_t number, IntegerType type) {
  if (type.width == 64) return number;
  const std::int64_t modulus = std::int64_t{1} << type.width;
  const std::int64_t low = number & (modulus - 1);
  return type.is_signed && low >= modulus / 2 ? low - modulus : low;
}

MemorySpace memory_space(ptx::StateSpace space) {
  switch (space) {
    case ptx::StateSpace::shared:
      return MemorySpace::shared;
    case ptx::StateSpace::local:
      return MemorySpace::local;
    case ptx::StateSpace::const_:
      return MemorySpace::constant;
    case ptx::StateSpace::param:
      return MemorySpace::parameter;
    default:
      return MemorySpace::global;
  }
}

constexpr const char* kNotFollowed = "a value that is not followed";

std::string constant_name(const ptx::Float& number) { return fmt::format("{:x}", number.bits); }

}  // namespace

std::optional<IntegerType> integer_type(ptx::Type type) {
  if (!ptx::is_integer(type) && !ptx::is_bits(type)) return std::nullopt;
  const std::size_t bytes = ptx::bytes(type);
  const bool is_packed = type == ptx::Type::u16x2 || type == ptx::Type::s16x2;
  if (is_packed || bytes < 1 || bytes > 8) return std::nullopt;
  return IntegerType{static_cast<unsigned>(bytes * 8), ptx::is_signed(type)};
}

Value Executor::special_register(const std::string& name) {
  constexpr std::string_view kAxes = "xyz";
  const std::size_t dot = name.find('.');
  const std::string base = name.substr(0, dot);
  const std::size_t axis = dot == std::string::npos ? 3 : kAxes.find(name[dot + 1]);
  if (axis < 3 && base == "tid") return domain_.thread[axis];
  if (axis < 3 && base == "ntid") return domain_.block_shape[axis];
  if (axis < 3 && base == "ctaid") return domain_.block[axis];
  if (axis < 3 && base == "nctaid") return domain_.grid[axis];
  if (base.starts_with("cluster_")) return cluster_register(base, axis);
  if (name == "laneid") return terms_.remainder(domain_.thread_number(), kLanes);
  const bool is_wide = name.ends_with("64") || name == "globaltimer";
  return terms_.unknown(name, Level::thread, limits_of({is_wide ? 64U : 32U, true}));
}

/// A register about the cluster of the block; `axis` is 3 for one without axes.
Value Executor::cluster_register(const std::string& name, std::size_t axis) {
  require_clusters();
  if (name == "cluster_ctarank") return domain_.cluster_rank();
  if (name == "cluster_nctarank") return Polynomial(domain_.cluster_size());
  if (axis < 3 && name == "cluster_ctaid") return domain_.rank[axis];
  if (axis < 3 && name == "cluster_nctaid") return Polynomial(domain_.cluster[axis]);
  return unknown_integer(name, 32);
}

/// The address of a variable in its space.
Polynomial Executor::variable_address(const ptx::Symbol& symbol) {
  if (symbol.kind == ptx::Symbol::Kind::function) {
    throw Unsupported("the kernel uses the address of a function");
  }
  const ptx::Variable& variable = ptx::variable(module_, kernel_, symbol);
  const MemorySpace space = memory_space(variable.space);
  // All arrays of dynamic shared memory begin at the same address.
  const std::string name = variable.is_unsized() ? "dynamic shared memory" : variable.name;
  auto found = arrays_.find(name);
  if (found == arrays_.end()) {
    const std::int64_t most = space == MemorySpace::shared ? kMostSharedAddress : kMostArrayAddress;
    const SymbolId id = terms_.add({.name = name,
                                    .kind = SymbolKind::array,
                                    .level = Level::grid,
                                    .range = Interval{0, most}});
    const auto alignment = static_cast<std::int64_t>(variable.alignment);
    terms_.add_fact(id, terms_.equal(terms_.remainder(Polynomial::of(id), alignment), 0));
    found = arrays_.emplace(name, id).first;
    const Polynomial bytes = variable.is_unsized()
                                 ? domain_.dynamic_shared
                                 : Polynomial(static_cast<std::int64_t>(variable.bytes()));
    if (space == MemorySpace::shared) {
      terms_.add_fact(id, terms_.at_most(Polynomial::of(id) + bytes, kMostSharedAddress));
    }
    lifted_.arrays.push_back({id, name, space, bytes});
  }
  return Polynomial::of(found->second) + symbol.addend;
}

/// A generic address is an address in its space plus the window of the space. Generic addresses of
/// global memory are the addresses themselves.
Polynomial Executor::window(MemorySpace space) {
  if (space == MemorySpace::global) return 0;
  auto found = windows_.find(space);
  if (found == windows_.end()) {
    const SymbolId id = terms_.add({.name = "the generic address of a memory space",
                                    .kind = SymbolKind::window,
                                    .level = Level::grid,
                                    .range = Interval{0, std::int64_t{1} << 49}});
    found = windows_.emplace(space, id).first;
  }
  return Polynomial::of(found->second);
}

std::optional<Value> Executor::operand_value(const ptx::Operand& operand, const State& state) {
  if (const auto* reg = std::get_if<ptx::Register>(&operand)) {
    const auto found = state.registers.find(reg->index);
    if (found == state.registers.end()) return std::nullopt;
    if (!reg->negated) return found->second;
    const auto* const formula = std::get_if<Formula>(&found->second);
    return formula == nullptr ? std::nullopt : std::optional<Value>(terms_.negate(*formula));
  }
  if (const auto* number = std::get_if<ptx::Integer>(&operand)) {
    return Polynomial(static_cast<std::int64_t>(number->bits));
  }
  if (const auto* number = std::get_if<ptx::Float>(&operand)) return Scalar{constant_name(*number)};
  if (const auto* symbol = std::get_if<ptx::Symbol>(&operand)) return variable_address(*symbol);
  if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand)) {
    return special_register(special->name);
  }
  return std::nullopt;
}

Polynomial Executor::integer(const ptx::Operand& operand, const State& state) {
  if (const auto value = operand_value(operand, state)) {
    if (const auto* number = std::get_if<Polynomial>(&*value)) return *number;
  }
  const auto* const reg = std::get_if<ptx::Register>(&operand);
  const bool is_wide = reg != nullptr && ptx::bytes(kernel_.registers[reg->index].type) == 8;
  return unknown_integer(kNotFollowed, is_wide ? 64U : 32U);
}

Polynomial Executor::source(const ptx::Instruction& instruction, std::size_t index,
                            const State& state) {
  if (index >= instruction.operands.size()) throw Unsupported("an instruction lacks an operand");
  return integer(instruction.operands[index], state);
}

Formula Executor::predicate(const ptx::Operand& operand, const State& state) {
  if (const auto value = operand_value(operand, state)) {
    if (const auto* formula = std::get_if<Formula>(&*value)) return *formula;
  }
  return terms_.unknown_truth("a condition on data", Level::thread);
}

/// The value that an instruction sees, as an integer. If it is not proved to be in the range of the
/// type, the overflow property has to prove that later.
Polynomial Executor::observed(const Polynomial& value, IntegerType type, const State& state) {
  if (const auto number = value.constant()) return wrapped(*number, type);
  const Interval limits = limits_of(type);
  if (terms_.range(value).is_within(*limits.least, *limits.most)) return value;
  const auto& index = domain_.block;
  const bool is_index = std::find(index.begin(), index.end(), value) != index.end();
  if (is_index && type.width >= 32) return value;
  if (is_guessing()) return value;
  const Formula fits = terms_.within(value, *limits.least, *limits.most);
  if (solver_.implies({}, fits) || implies(state, fits)) return value;
  const Interval others = limits_of({type.width, !type.is_signed});
  if (type.width < 64 && implies(state, terms_.within(value, *others.least, *others.most))) {
    const Polynomial modulus = std::int64_t{1} << type.width;
    if (type.is_signed)
      return terms_.choice(terms_.at_most(value, *limits.most), value, value - modulus);
    return terms_.choice(terms_.at_most(0, value), value, value + modulus);
  }
  // Data may wrap: no size or index depends on it.
  if (terms_.is_data(value)) {
    if (type.width == 64) return wide_data(type);
    return *limits.least + terms_.remainder(value - *limits.least, std::int64_t{1} << type.width);
  }
  lifted_.observations.push_back({value, *limits.least, *limits.most, state.path, instruction_});
  return value;
}

Polynomial Executor::observed(const ptx::Instruction& instruction, std::size_t index,
                              IntegerType type, const State& state) {
  return observed(source(instruction, index, state), type, state);
}

/// A value of which only the width is known; empty for a floating-point number.
std::optional<Value> Executor::unknown_value(unsigned reg) {
  const ptx::Type type = kernel_.registers[reg].type;
  if (type == ptx::Type::pred) return terms_.unknown_truth("a condition on data", Level::thread);
  const auto integer = integer_type(type);
  if (!integer) return std::nullopt;
  return unknown_integer(kNotFollowed, integer->width);
}

Polynomial Executor::unknown_integer(const std::string& name, unsigned width) {
  return terms_.unknown(name, Level::thread, limits_of({width, true}));
}

/// Any number of 64 bits that is computed from data.
Polynomial Executor::wide_data(IntegerType type) {
  const Interval range = type.is_signed ? Interval{} : Interval{0, std::nullopt};
  return Polynomial::of(
      terms_.add({.name = "a value from memory", .range = range, .is_data = true}));
}

/// A number from memory; empty for a floating-point number.
std::optional<Value> Executor::data_value(unsigned reg) {
  const ptx::Type type = kernel_.registers[reg].type;
  const auto integer = integer_type(type);
  if (!integer) return unknown_value(reg);
  return Polynomial::of(terms_.add({.name = "a value from memory",
                                    .range = limits_of({integer->width, true}),
                                    .is_data = true}));
}

void Executor::put_register(unsigned reg, std::optional<Value> value, Formula guard, State& state) {
  if (guard != kTrue) {
    const auto old = state.registers.find(reg);
    const auto* const number = value ? std::get_if<Polynomial>(&*value) : nullptr;
    const auto* const formula = value ? std::get_if<Formula>(&*value) : nullptr;
    if (number != nullptr && state.value<Polynomial>(reg) != nullptr) {
      value = terms_.choice(guard, *number, std::get<Polynomial>(old->second));
    } else if (formula != nullptr && state.value<Formula>(reg) != nullptr) {
      value = terms_.any({terms_.all({guard, *formula}),
                          terms_.all({terms_.negate(guard), std::get<Formula>(old->second)})});
    } else {
      value = unknown_value(reg);
    }
  }
  if (value) {
    state.registers.insert_or_assign(reg, std::move(*value));
  } else {
    state.registers.erase(reg);
  }
}

/// Writes the first operand, a register.
void Executor::put(const ptx::Instruction& instruction, std::optional<Value> value, State& state) {
  const auto* const reg = ptx::analysis::operand<ptx::Register>(instruction, 0);
  if (reg == nullptr) return forget_results(instruction, state);
  if (!value) value = unknown_value(reg->index);
  put_register(reg->index, std::move(value), guard_of(instruction, state), state);
}

/// Every register that the instruction writes can have any value.
void Executor::forget_results(const ptx::Instruction& instruction, State& state) {
  const bool is_data = reads_only_data(instruction, state);
  for (const unsigned reg : registers_written(instruction)) {
    put_register(reg, is_data ? data_value(reg) : unknown_value(reg), kTrue, state);
  }
}

/// The bits of a floating-point number become an integer: no size or index, so they are data.
bool Executor::moves_bits_of_float(const ptx::Instruction& instruction) const {
  const auto* const from = ptx::analysis::operand<ptx::Register>(instruction, 1);
  const auto* const to = ptx::analysis::operand<ptx::Register>(instruction, 0);
  return ptx::analysis::has_mnemonic(instruction, {"mov"}) && from != nullptr && to != nullptr &&
         !integer_type(kernel_.registers[from->index].type) &&
         kernel_.registers[from->index].type != ptx::Type::pred &&
         integer_type(kernel_.registers[to->index].type);
}

/// True if the sources of an instruction are numbers from memory, one at least, and constants.
bool Executor::reads_only_data(const ptx::Instruction& instruction, const State& state) const {
  if (moves_bits_of_float(instruction)) return true;
  bool has_data = false;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    for (const unsigned reg : ptx::analysis::registers_of(instruction.operands[i])) {
      const auto* const number = state.value<Polynomial>(reg);
      if (number == nullptr) return false;
      const bool is_constant = number->constant().has_value();
      if (!is_constant && !terms_.is_data(*number)) return false;
      has_data = has_data || !is_constant;
    }
    const auto& operand = instruction.operands[i];
    if (std::holds_alternative<ptx::SpecialRegister>(operand) ||
        std::holds_alternative<ptx::Symbol>(operand)) {
      return false;
    }
  }
  return has_data;
}

Formula Executor::guard_of(const ptx::Instruction& instruction, const State& state) {
  return instruction.guard ? predicate(*instruction.guard, state) : kTrue;
}

/// The conditions with which a thread executes the instruction, without registers.
State Executor::guarded_path(const ptx::Instruction& instruction, const State& state) {
  State guarded{.path = state.path, .given = state.given};
  guarded.assume(terms_, guard_of(instruction, state));
  return guarded;
}

}  // namespace warpcheck::proof

// Instructions of warpgroups, 128 threads: products of matrices in shared memory, which descriptors
// name, and the registers of a thread. PTX ISA 9.7.15 and 9.7.19.
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

constexpr std::int64_t kThreads = 128;  // threads of a warpgroup
constexpr std::int64_t kUnit = 16;      // bytes that a swizzle moves together
constexpr std::int64_t kRows = 8;       // rows of a core matrix, each one unit
constexpr std::int64_t kUnitsOfK = 2;   // units along k that a product multiplies
constexpr std::int64_t kLinesOfA = 64;
constexpr std::int64_t kHalfBytes = 2;

/// The fields of a descriptor but for the address (PTX ISA 9.7.15.5.1).
struct Layout {
  std::int64_t leading = 0;  // bytes
  std::int64_t stride = 0;   // bytes
  std::int64_t span = 0;     // bytes in which a swizzle moves units
};

/// Throws Unsupported for a layout whose addresses are not known.
Layout layout_of(std::uint64_t descriptor) {
  constexpr std::uint64_t kUnused = 0x3ff1'c000'c000'0000;
  const auto field = [&](unsigned first) {
    return static_cast<std::int64_t>(descriptor >> first & 0x3fff) * kUnit;
  };
  if ((descriptor & kUnused) != 0) {
    throw Unsupported("a descriptor of wgmma has bits that have no meaning");
  }
  const bool has_base_offset = (descriptor >> 49 & 7) != 0;
  if (has_base_offset) throw Unsupported("a descriptor of wgmma has a base offset");
  constexpr std::array<std::int64_t, 4> kSpans = {16, 128, 64, 32};
  return {field(16), field(32), kSpans[descriptor >> 62]};
}

/// The distance of the last unit of a matrix from the first one, before units are moved. The lines
/// are rows of A or columns of B.
std::int64_t last_unit(const Layout& layout, std::int64_t lines, std::int64_t k, bool by_lines) {
  const bool is_plain = layout.span == kUnit;
  const std::int64_t chunks = lines / kRows;  // units of lines
  const std::int64_t in_core = (kRows - 1) * layout.span;
  if (!by_lines) {
    const std::int64_t along_k = is_plain ? layout.leading : kUnit;
    return in_core + (chunks - 1) * layout.stride + (kUnitsOfK - 1) * along_k;
  }
  const std::int64_t last_core = k / kRows - 1;
  if (is_plain) return in_core + (chunks - 1) * layout.stride + last_core * layout.leading;
  const std::int64_t units = layout.span / kUnit;
  return in_core + (std::min(chunks, units) - 1) * kUnit + (chunks - 1) / units * layout.leading +
         last_core * layout.stride;
}

/// An immediate operand of a product that is 1.
bool is_set(const Instruction& instruction, std::size_t operand) {
  const auto* const number = ptx::analysis::operand<ptx::Integer>(instruction, operand);
  return number != nullptr && number->bits == 1;
}

}  // namespace

/// False if it is no instruction of warpgroups.
bool Executor::execute_by_warpgroup(const Instruction& instruction, State& state) {
  const bool sets_registers = has_mnemonic(instruction, {"setmaxnreg"});
  if (!sets_registers && !has_mnemonic(instruction, {"wgmma"})) return false;
  const State guarded = guarded_path(instruction, state);
  require_warpgroup(instruction, guarded);
  if (sets_registers) {
    if (has_modifier(instruction, "inc")) {
      record_wait("waits for registers that other warps release: that they do is not proved");
    }
    record_warp_point({}, guarded, true, kThreads);
    return true;
  }
  record_unordered("the order of products of wgmma and other accesses is not proved");
  if (has_modifier(instruction, "mma_async")) {
    multiply_matrices(instruction, state, guarded);
  } else {
    record_warp_point({}, guarded, true, kThreads);
  }
  return true;
}

/// A warpgroup is four warps, the first of which has a number that is a multiple of 4.
void Executor::require_warpgroup(const Instruction& instruction, const State& guarded) {
  if (is_guessing()) return;
  const auto threads =
      (domain_.block_shape[0] * domain_.block_shape[1] * domain_.block_shape[2]).constant();
  const bool is_whole =
      threads &&
      (*threads % kThreads == 0 ||
       implies(guarded, terms_.less(domain_.thread_number(), *threads / kThreads * kThreads)));
  if (is_whole) return;
  throw Unsupported(
      fmt::format("{} needs whole warpgroups of 128 threads", fmt::join(instruction.parts, ".")));
}

/// `d, a, b, scale-d{, scale-a, scale-b{, transpose-a}, transpose-b}`: adds to d, of which each
/// thread has some numbers.
void Executor::multiply_matrices(const Instruction& instruction, State& state,
                                 const State& guarded) {
  const auto shape = shape_of(instruction);
  const bool has_a = !std::holds_alternative<ptx::Vector>(instruction.operands.at(1));
  if (!shape || instruction.guard || instruction.operands.size() < 4)
    throw_not_covered(instruction);
  if (!is_guessing()) {
    // Only matrices of 16-bit elements may be transposed: their operands are the last ones.
    const bool is_half = static_cast<std::int64_t>(ptx::bytes(type_of(instruction))) == kHalfBytes;
    const std::size_t last = instruction.operands.size() - 1;
    const bool has_both = is_half && has_a;
    std::vector<Polynomial> same;
    if (has_a) {
      same.push_back(source(instruction, 1, state));
      read_matrix(same.back(), kLinesOfA, shape->k, has_both && is_set(instruction, last - 1),
                  guarded);
    }
    same.push_back(source(instruction, 2, state));
    read_matrix(same.back(), shape->n, shape->k, is_half && is_set(instruction, last), guarded);
    record_warp_point(std::move(same), guarded, true, kThreads);
  }
  for (const unsigned reg : registers_written(instruction)) {
    put_register(reg, data_value(reg), kTrue, state);
  }
}

/// Records one access of all bytes from the first unit of a matrix to its last one.
void Executor::read_matrix(const Polynomial& descriptor, std::int64_t lines, std::int64_t k,
                           bool by_lines, const State& guarded) {
  constexpr std::int64_t kMostAddress = 0x3fff;  // units
  const std::int64_t constant = descriptor.constant_term();
  const std::int64_t low = constant & 0xffff;
  const Layout layout = layout_of(static_cast<std::uint64_t>(constant - low));
  const Polynomial units = descriptor.without_constant() + low;
  if (!implies(guarded, terms_.within(units, 0, kMostAddress))) {
    throw Unsupported("the address in a descriptor of wgmma is not found");
  }
  const Polynomial first = without_divisions(Polynomial(kUnit) * units, guarded);
  // A swizzle moves a unit within an aligned span. Arrays are aligned to it.
  const std::int64_t rest = (first.constant_term() % layout.span + layout.span) % layout.span;
  if (!implies(guarded, terms_.equal(terms_.remainder(first, layout.span), rest))) {
    throw Unsupported("where the swizzle of a matrix of wgmma begins is not found");
  }
  const std::int64_t end = rest + last_unit(layout, lines, k, by_lines) + kUnit;
  Access access{.kind = AccessKind::read};
  access.bytes = (end + layout.span - 1) / layout.span * layout.span;
  access.alignment = kUnit;
  record(std::move(access), first - rest, MemorySpace::shared, guarded);
}

/// k floor(x / k) is x if x is a multiple of k.
Polynomial Executor::without_divisions(const Polynomial& value, const State& state) {
  Polynomial result = value;
  for (const SymbolId id : value.symbols()) {
    const Definition definition = terms_[id].definition;
    const auto* const division = std::get_if<FloorDivision>(&definition);
    const auto linear = result.linear_in(id);
    const auto factor = linear ? linear->first.constant() : std::nullopt;
    if (division == nullptr || !factor || *factor % division->divisor != 0) continue;
    const Polynomial rest = terms_.remainder(division->dividend, division->divisor);
    if (!implies(state, terms_.equal(rest, 0))) continue;
    result = linear->second + Polynomial(*factor / division->divisor) * division->dividend;
  }
  return result;
}

}  // namespace warpcheck::proof

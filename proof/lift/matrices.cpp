// Instructions of whole warps: matrices in shared and global memory, and products of matrices. Each
// lane of the warp must execute them together. PTX ISA 9.7.14.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "proof/lift/executor.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

using ptx::Instruction;
using ptx::analysis::has_mnemonic;
using ptx::analysis::has_modifier;
using ptx::analysis::type_of;

constexpr std::int64_t kRowBytes = 16;
constexpr std::int64_t kRowsOfMatrix = 8;  // each lane states the address of one row
constexpr std::int64_t kMostAlignment = 32;
constexpr std::int64_t kStrideAlignment = 16;

/// Lines of contiguous elements of a matrix of wmma.
struct Lines {
  std::int64_t count = 0;
  std::int64_t elements = 0;  // each line has so many
};

Lines lines_of(const Instruction& instruction, const Shape& shape) {
  const bool is_a = has_modifier(instruction, "a");
  const bool is_b = has_modifier(instruction, "b");
  const std::int64_t rows = is_b ? shape.k : shape.m;
  const std::int64_t columns = is_a ? shape.k : shape.n;
  return has_modifier(instruction, "col") ? Lines{columns, rows} : Lines{rows, columns};
}

}  // namespace

std::optional<Shape> shape_of(const Instruction& instruction) {
  for (const std::string& part : instruction.parts) {
    Shape shape;
    const char* at = part.data();
    const char* const end = at + part.size();
    const auto read = [&](char letter, std::int64_t& number) {
      if (at == end || *at != letter) return false;
      const auto [next, error] = std::from_chars(at + 1, end, number);
      at = next;
      return error == std::errc();
    };
    if (read('m', shape.m) && read('n', shape.n) && read('k', shape.k) && at == end) return shape;
  }
  return std::nullopt;
}

/// False if it is no instruction of whole warps.
bool Executor::execute_by_warp(const Instruction& instruction, State& state) {
  const bool is_row_access = has_mnemonic(instruction, {"ldmatrix", "stmatrix"});
  const bool is_tile_access =
      has_mnemonic(instruction, {"wmma"}) && !has_modifier(instruction, "mma");
  if (!is_row_access && !is_tile_access &&
      !has_mnemonic(instruction, {"mma", "movmatrix", "wmma"})) {
    return false;
  }
  const auto threads =
      (domain_.block_shape[0] * domain_.block_shape[1] * domain_.block_shape[2]).constant();
  if (!threads || *threads % kLanes != 0) {
    throw Unsupported(fmt::format("{} needs whole warps, and the last warp of a block has none",
                                  fmt::join(instruction.parts, ".")));
  }
  const State guarded = guarded_path(instruction, state);
  std::vector<Polynomial> same;
  if (is_row_access) access_rows(instruction, state, guarded);
  if (is_tile_access) same = access_tile(instruction, state, guarded);
  record_warp_point(std::move(same), guarded);
  if (!is_row_access && !is_tile_access) {
    forget_results(instruction, state);
  } else if (has_modifier(instruction, "load") || has_mnemonic(instruction, {"ldmatrix"})) {
    // A register has several elements.
    for (const unsigned reg : registers_written(instruction)) {
      put_register(reg, data_value(reg), guard_of(instruction, state), state);
    }
  }
  return true;
}

/// `same`: values that the threads have in common.
void Executor::record_warp_point(std::vector<Polynomial> same, const State& state,
                                 bool has_all_lanes, std::int64_t threads) {
  if (is_guessing() || state.is_unreachable()) return;
  lifted_.warp_points.push_back(
      {state.decisive_path(), loops_, instruction_, std::move(same), has_all_lanes, threads});
}

/// Lane 8 i + j states the address of row j of matrix i.
void Executor::access_rows(const Instruction& instruction, const State& state, State guarded) {
  const std::int64_t count = has_modifier(instruction, "x1")   ? 1
                             : has_modifier(instruction, "x2") ? 2
                             : has_modifier(instruction, "x4") ? 4
                                                               : 0;
  if (count == 0 || !has_modifier(instruction, "m8n8") || !has_modifier(instruction, "b16")) {
    throw_not_covered(instruction);
  }
  const Polynomial lane = terms_.remainder(domain_.thread_number(), kLanes);
  guarded.assume(terms_, terms_.less(lane, count * kRowsOfMatrix));
  const bool is_load = has_mnemonic(instruction, {"ldmatrix"});
  const bool is_generic =
      !has_modifier(instruction, "shared") && !has_modifier(instruction, "shared::cta");
  Access access{.kind = is_load ? AccessKind::read : AccessKind::write,
                .agent = Agent::warp_by_rows};
  access.bytes = kRowBytes;
  record(std::move(access), address(instruction.operands.at(is_load ? 1 : 0), state),
         is_generic ? std::nullopt : std::optional(MemorySpace::shared), guarded);
}

/// All lanes state the address of the first line and the elements from one line to the next.
std::vector<Polynomial> Executor::access_tile(const Instruction& instruction, const State& state,
                                              const State& guarded) {
  const bool is_load = has_modifier(instruction, "load");
  const auto shape = shape_of(instruction);
  const auto element = static_cast<std::int64_t>(ptx::bytes(type_of(instruction)));
  const auto* const fragment = ptx::analysis::operand<ptx::Vector>(instruction, is_load ? 0 : 1);
  const bool is_packed = has_modifier(instruction, "s4") || has_modifier(instruction, "u4") ||
                         has_modifier(instruction, "b1");
  if (!shape || element == 0 || fragment == nullptr || is_packed) throw_not_covered(instruction);
  const Lines lines = lines_of(instruction, *shape);
  const Polynomial first = address(instruction.operands.at(is_load ? 1 : 0), state);
  const Polynomial stride = instruction.operands.size() > 2
                                ? observed(instruction, 2, {32, false}, state)
                                : Polynomial(lines.elements);
  if (!is_load && !implies(guarded, terms_.at_most(lines.elements, stride))) {
    throw Unsupported("the lines of the matrix that wmma.store writes may overlap");
  }
  const std::int64_t register_bytes = element == 8 ? 8 : 4;
  const std::int64_t alignment = std::min(
      kMostAlignment, static_cast<std::int64_t>(fragment->elements.size()) * register_bytes);
  for (std::int64_t line = 0; line < lines.count; ++line) {
    Access access{.kind = is_load ? AccessKind::read : AccessKind::write,
                  .agent = Agent::warp_by_lane_0};
    access.bytes = lines.elements * element;
    access.alignment = line == 0 ? alignment : std::min(alignment, kStrideAlignment);
    record(std::move(access), first + Polynomial(line * element) * stride, space_of(instruction),
           guarded);
  }
  return {first, stride};
}

}  // namespace warpcheck::proof

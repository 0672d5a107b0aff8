// Matrices of 8 x 8 halves between shared memory and registers: ldmatrix, stmatrix, movmatrix
// (PTX ISA 9.7.14.5.15 to 9.7.14.5.17).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/machine/lanes/convergence.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::Mask;
using machine::Op;
using machine::ResolvedAccess;
using machine::skip_with_zeros;
using machine::Slot;
using machine::Space;
using machine::Warp;

using Register = machine::RegisterLanes<std::uint32_t>;

constexpr std::size_t kRowBytes = 16;  // 8 halves
// Rows of a matrix; lane 8 i + r has the address of row r of matrix i.
constexpr unsigned kRows = 8;

/// Transposes a matrix to column-major order. Lane l of a register has row l / 4, columns 2 (l mod
/// 4) and the next one: the 32 lanes are the matrix in row-major order.
void transpose(std::uint32_t* lanes) {
  std::array<std::uint16_t, std::size_t{2} * kLanes> from;
  std::array<std::uint16_t, std::size_t{2} * kLanes> to;
  std::memcpy(from.data(), lanes, sizeof from);
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kRows; ++column) {
      to[kRows * row + column] = from[kRows * column + row];
    }
  }
  std::memcpy(lanes, to.data(), sizeof to);
}

void transpose(Register& matrix) {
  transpose(matrix.value);
  if (!matrix.known) transpose(matrix.undefined);
}

/// The lanes that hold the addresses of the rows of `count` matrices. The addresses in other lanes
/// have no effect.
Mask address_lanes(std::size_t count) {
  return machine::kAllLanes >> (kLanes - kRows * static_cast<unsigned>(count));
}

bool is_shared(Warp& warp, const Op& op, const ResolvedAccess& access, Mask lanes) {
  if (access.container->space == Space::shared || machine::is_nowhere(access)) return true;
  static_cast<void>(warp.goes_on_after(op, lanes, FindingClass::out_of_bounds,
                                       "the address of the row is not in shared memory"));
  return false;
}

template <class F>
void for_each_lane(Mask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

/// Sets the row that a lane would load to zeros.
void clear_row(Register& matrix, unsigned lane) {
  const unsigned first = lane % kRows * 4;
  std::fill_n(&matrix.value[first], 4, 0U);
  std::fill_n(&matrix.undefined[first], 4, 0U);
}

/// Operand 0 is the address; the elements of the detail are the registers.
template <bool transposed>
Flow load_matrices(Warp& warp, const Op& op) {
  const auto& targets = op.detail->elements;
  if (!machine::all_take_part(warp, op)) return skip_with_zeros<std::uint32_t>(warp, targets);
  std::array<Register, 4> matrices;
  const auto body = [&](const ResolvedAccess& access, Mask lanes) {
    if (!is_shared(warp, op, access, lanes)) {
      return for_each_lane(lanes, [&](unsigned lane) { clear_row(matrices[lane / kRows], lane); });
    }
    for_each_lane(lanes, [&](unsigned lane) {
      Register& matrix = matrices[lane / kRows];
      const unsigned first = lane % kRows * 4;
      std::array<std::uint32_t, 4> known;
      std::memcpy(&matrix.value[first], access.data + access.offset[lane], kRowBytes);
      std::memcpy(known.data(), access.shadow + access.offset[lane], kRowBytes);
      for (unsigned i = 0; i < 4; ++i) {
        matrix.undefined[first + i] = ~known[i];
        matrix.known &= known[i] == ~0U;
      }
    });
    machine::observe_read(warp, op, access, lanes, kRowBytes);
  };
  const Flow flow =
      machine::access(warp, op, address_lanes(targets.size()), {kRowBytes, false}, body);
  if (flow == Flow::leave) return flow;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (transposed) transpose(matrices[i]);
    if (targets[i] != machine::kNoSlot) machine::write_register(warp, targets[i], matrices[i]);
  }
  return Flow::next;
}

template <bool transposed>
Flow store_matrices(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return skip_with_zeros<std::uint32_t>(warp, {});
  const auto& sources = op.detail->elements;
  std::array<Register, 4> matrices;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    machine::read_register(warp, sources[i], matrices[i]);
    if (transposed) transpose(matrices[i]);
  }
  const auto body = [&](const ResolvedAccess& access, Mask lanes) {
    if (!is_shared(warp, op, access, lanes)) return;
    Mask rewrites = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      const Register& matrix = matrices[lane / kRows];
      const unsigned first = lane % kRows * 4;
      std::array<std::uint32_t, 4> known;
      for (unsigned i = 0; i < 4; ++i) known[i] = matrix.known ? ~0U : ~matrix.undefined[first + i];
      std::byte* const data = access.data + access.offset[lane];
      const bool same = std::memcmp(data, &matrix.value[first], kRowBytes) == 0;
      rewrites |= Mask{same} << lane;
      std::memcpy(data, &matrix.value[first], kRowBytes);
      std::memcpy(access.shadow + access.offset[lane], known.data(), kRowBytes);
    });
    machine::observe_write(warp, op, access, lanes, kRowBytes, rewrites);
  };
  return machine::access(warp, op, address_lanes(sources.size()), {kRowBytes, true}, body);
}

Flow move_matrix(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) {
    return skip_with_zeros<std::uint32_t>(warp, {&op.operand[0], 1});
  }
  Register matrix;
  machine::read_register(warp, op.operand[1], matrix);
  transpose(matrix);
  machine::write_register(warp, op.operand[0], matrix);
  return Flow::next;
}

Handler bind_move_matrix(const Selection&) { return move_matrix; }

/// Decodes `{%r1, %r2}`, or a single register for one matrix, and the address.
void lower_matrices(Lowering& lowering, std::size_t registers, std::size_t address_index) {
  const auto* address = lowering.operand<ptx::Address>(address_index);
  if (address == nullptr || lowering.operand_count() != 2) {
    throw DecodeError("registers and one [address] are expected");
  }
  lowering.address(*address,
                   lowering.selection.has("shared") || lowering.selection.has("shared::cta")
                       ? Space::shared
                       : Space::generic);
  const std::size_t count = lowering.selection.has("x1") ? 1 : lowering.selection.has("x2") ? 2 : 4;
  auto& elements = lowering.detail().elements;
  if (const auto* vector = lowering.operand<ptx::Vector>(registers)) {
    for (const ptx::Element& element : vector->elements) {
      elements.push_back(registers == 0 ? lowering.destination_element(element, Type::b32)
                                        : lowering.source_element(element, Type::b32));
    }
  } else {
    const ptx::Operand& one = lowering.instruction.operands[registers];
    elements.push_back(registers == 0 ? lowering.destination(one, Type::b32)
                                      : lowering.source(one, Type::b32));
  }
  const bool ignored =
      registers != 0 && std::count(elements.begin(), elements.end(), machine::kNoSlot) != 0;
  if (elements.size() != count || ignored) {
    throw DecodeError(fmt::format("{} registers are given, {} expected", elements.size(), count));
  }
}

void lower_load(Lowering& lowering) {
  lower_matrices(lowering, 0, 1);
  lowering.result.run =
      lowering.selection.has("trans") ? load_matrices<true> : load_matrices<false>;
}

void lower_store(Lowering& lowering) {
  lower_matrices(lowering, 1, 0);
  lowering.result.run =
      lowering.selection.has("trans") ? store_matrices<true> : store_matrices<false>;
}

constexpr std::array kForms = {
    Form{"ldmatrix", "sync aligned m8n8 x1|x2|x4 [trans] [shared|shared::cta]", "b16", "",
         "9.7.14.5.15", nullptr, nullptr, lower_load, true},
    Form{"stmatrix", "sync aligned m8n8 x1|x2|x4 [trans] [shared|shared::cta]", "b16", "",
         "9.7.14.5.16", nullptr, nullptr, lower_store, true},
    Form{"movmatrix", "sync aligned m8n8 trans", "b16", "=b32 b32", "9.7.14.5.17", bind_move_matrix,
         nullptr, nullptr, true},
};

}  // namespace

std::span<const Form> matrix_forms() { return kForms; }

}  // namespace warpcheck::isa

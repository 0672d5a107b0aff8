// wmma: loads and stores of fragments, and their product (PTX ISA 9.7.14.4). The manual does not
// define the layout of a fragment in the lanes; this device uses the layout of mma.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "device/virtual/isa/tensor/mma.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/machine/lanes/convergence.hpp"
#include "device/virtual/machine/lanes/store_turn.hpp"

namespace warpcheck::isa {
namespace {

using machine::Container;
using machine::Flow;
using machine::kAllLanes;
using machine::kLanes;
using machine::Mask;
using machine::MatrixLayout;
using machine::MatrixOffsets;
using machine::MatrixOperation;
using machine::MatrixPieces;
using machine::MatrixRole;
using machine::Op;
using machine::ResolvedAccess;
using machine::Slot;
using machine::Space;
using machine::Warp;

/// The place of a matrix in memory.
struct Place {
  Container container;
  std::uint64_t begin = 0;   // offset of the matrix in the container, in bytes
  std::uint64_t stride = 0;  // elements from one row or column to the next
};

/// Checks that all lanes have the same address and stride. If they do not and the launch continues,
/// lane 0 determines both. Returns false if the launch ends.
bool goes_on_with_lane_0(Warp& warp, const Op& op) {
  for (const Slot slot : {op.operand[0], op.operand[1]}) {
    if (const Mask unknown = ~warp.defined(slot)) {
      if (!warp.goes_on_with_undefined(op, slot, unknown,
                                       "the address or stride of the matrix is undefined")) {
        return false;
      }
    }
  }
  const auto* const strides = warp.lanes<std::uint32_t>(op.operand[1]);
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    if (address_of(warp, op, lane) == address_of(warp, op, 0) && strides[lane] == strides[0]) {
      continue;
    }
    return warp.goes_on_after(
        op, Mask{1} << lane, FindingClass::barrier_divergence,
        fmt::format("lane {} has another address or stride than lane 0", lane));
  }
  return true;
}

/// Checks the alignment. The address of the matrix must be a multiple of the bytes of its fragment,
/// and its stride a multiple of these or of 16 bytes (CUDA C++ Programming Guide, warp matrix
/// functions). Returns false if this ends the launch.
bool goes_on_with_alignment(Warp& warp, const Op& op, const Place& place, bool write) {
  const MatrixOperation& operation = *op.detail->matrices;
  const std::uint64_t address = place.container.base + place.begin;
  const std::uint64_t bytes = place.stride * operation.d.bits / 8;
  const unsigned between = std::min(operation.alignment, 16U);
  std::string message;
  if (address % operation.alignment != 0) {
    message = fmt::format("the matrix begins at byte {} of {}, {} bytes past a {}-byte boundary",
                          static_cast<std::int64_t>(place.begin), name_of(place.container),
                          address % operation.alignment, operation.alignment);
  } else if (bytes % between != 0) {
    message = fmt::format("the {} of the matrix are {} bytes apart, not a multiple of {} bytes",
                          operation.column_major ? "columns" : "rows", bytes, between);
  } else {
    return true;
  }
  return warp.goes_on_after(
      op, 1, FindingClass::misaligned, std::move(message),
      MemoryPlace{name_of(place.container), static_cast<std::ptrdiff_t>(place.begin),
                  operation.alignment, write});
}

/// Reports that the piece of a lane is outside of the container.
void report_outside(Warp& warp, const Op& op, const Place& place, const MatrixOffsets& offsets,
                    unsigned number, MatrixPieces pieces, bool write, unsigned lane) {
  const std::uint64_t offset = place.begin + offsets[lane];
  const std::uint64_t size = place.container.bytes.size;
  const MatrixLayout& layout = op.detail->matrices->d;
  const std::size_t element =
      std::size_t{number} * (layout.per_register / pieces.per_register) * kLanes + lane;
  static_cast<void>(warp.goes_on_after(
      op, Mask{1} << lane, FindingClass::out_of_bounds,
      fmt::format("row {}, column {} of the matrix: {}-byte {} byte {} of {}, which has {} bytes",
                  layout.row[element], layout.column[element], pieces.bytes,
                  write ? "store to" : "load from", static_cast<std::int64_t>(offset),
                  name_of(place.container), size),
      MemoryPlace{name_of(place.container), static_cast<std::ptrdiff_t>(offset), pieces.bytes,
                  write, size}));
}

/// The lanes whose piece is in the container in which the matrix begins. Reports the lowest other
/// lane.
Mask lanes_inside(Warp& warp, const Op& op, const Place& place, const MatrixOffsets& offsets,
                  unsigned number, MatrixPieces pieces, bool write) {
  const std::uint64_t size = place.container.bytes.size;
  Mask inside = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t offset = place.begin + offsets[lane];
    inside |= Mask{size >= pieces.bytes && offset <= size - pieces.bytes} << lane;
  }
  if (inside == kAllLanes) return inside;
  report_outside(warp, op, place, offsets, number, pieces, write, machine::lowest(~inside));
  return inside;
}

/// Calls body(access, lanes) for the pieces of `inside`: once, or once per lane if their distance
/// exceeds 4 GiB. The pieces of the other lanes use replacement memory.
template <class Body>
void reach_pieces(const Place& place, const MatrixOffsets& offsets, Mask inside, Body body) {
  if (inside != kAllLanes) {
    machine::Nowhere nowhere;
    body(nowhere.access(), ~inside);
    if (inside == 0) return;
  }
  machine::LaneOffsets near;
  const auto reach = [&](std::uint64_t begin, Mask lanes) {
    const Container& container = place.container;
    body(ResolvedAccess{container.bytes.data + begin, container.bytes.shadow + begin, near.data(),
                        &container, machine::Pattern::scattered, begin},
         lanes);
  };
  const std::uint64_t farthest = *std::max_element(offsets.begin(), offsets.end());
  if (farthest <= std::numeric_limits<std::uint32_t>::max() && inside == kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      near[lane] = static_cast<std::uint32_t>(offsets[lane]);
    }
    return reach(place.begin, kAllLanes);
  }
  near.fill(0);
  for (; inside != 0; inside &= inside - 1) {
    const unsigned lane = machine::lowest(inside);
    reach(place.begin + offsets[lane], Mask{1} << lane);
  }
}

/// Checks the matrix and calls body(number, access, lanes) for each piece.
template <class Body>
Flow for_pieces(Warp& warp, const Op& op, bool write, Body body) {
  if (!goes_on_with_lane_0(warp, op)) return Flow::leave;
  const std::uint64_t address = address_of(warp, op, 0);
  const Container* const stored = machine::find_container(warp, op, address);
  Place place{stored != nullptr ? *stored : machine::locate(warp, op, address)};
  place.begin = address - place.container.base;
  place.stride = warp.lanes<std::uint32_t>(op.operand[1])[0];
  const Space space = place.container.space;
  if (space != Space::shared && space != Space::global) {
    return warp.skip_after(op, 1, FindingClass::out_of_bounds,
                           "the matrix is in neither global nor shared memory");
  }
  if (!goes_on_with_alignment(warp, op, place, write)) return Flow::leave;
  const MatrixOperation& operation = *op.detail->matrices;
  const MatrixPieces pieces = machine::pieces_of(operation);
  const unsigned count = operation.d.registers * pieces.per_register;
  for (unsigned number = 0; number < count; ++number) {
    const MatrixOffsets offsets = machine::offsets_of(operation, place.stride, number, pieces);
    const Mask inside = lanes_inside(warp, op, place, offsets, number, pieces, write);
    if (warp.block().faulted()) return Flow::leave;
    reach_pieces(place, offsets, inside,
                 [&](const ResolvedAccess& access, Mask lanes) { body(number, access, lanes); });
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

template <class F>
void for_each_lane(Mask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

constexpr std::size_t kMostRegisters = 8;

/// Operand 0 is the address, operand 1 the stride; the elements are the registers, of type T.
template <class T>
Flow load(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) {
    return machine::skip_with_zeros<T>(warp, op.detail->elements);
  }
  const MatrixOperation& operation = *op.detail->matrices;
  const MatrixPieces pieces = machine::pieces_of(operation);
  std::array<machine::RegisterLanes<T>, kMostRegisters> registers{};
  const Flow flow =
      for_pieces(warp, op, false, [&](unsigned number, const ResolvedAccess& access, Mask lanes) {
        machine::RegisterLanes<T>& target = registers[number / pieces.per_register];
        const std::size_t within = std::size_t{number} % pieces.per_register * pieces.bytes;
        for_each_lane(lanes, [&](unsigned lane) {
          T undefined = ~T{0};
          const auto into = [&](T& word) { return reinterpret_cast<std::byte*>(&word) + within; };
          std::memcpy(into(target.value[lane]), access.data + access.offset[lane], pieces.bytes);
          std::memcpy(into(undefined), access.shadow + access.offset[lane], pieces.bytes);
          target.undefined[lane] |= ~undefined;
          target.known &= undefined == ~T{0};
        });
        machine::observe_read(warp, op, access, lanes, pieces.bytes);
      });
  if (flow == Flow::leave) return flow;
  const auto& targets = op.detail->elements;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    machine::write_register(warp, targets[i], registers[i % operation.d.registers]);
  }
  return Flow::next;
}

template <class T>
Flow store(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return machine::skip_with_zeros<T>(warp, {});
  const MatrixPieces pieces = machine::pieces_of(*op.detail->matrices);
  const auto& sources = op.detail->elements;
  std::array<machine::RegisterLanes<T>, kMostRegisters> registers;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    machine::read_register(warp, sources[i], registers[i]);
  }
  return for_pieces(warp, op, true, [&](unsigned number, const ResolvedAccess& access, Mask lanes) {
    const machine::RegisterLanes<T>& source = registers[number / pieces.per_register];
    const std::size_t within = std::size_t{number} % pieces.per_register * pieces.bytes;
    const machine::Allocation* const allocation = access.container->allocation;
    if (allocation != nullptr && allocation->needs_care()) {
      machine::inspect_store(warp, op, access, lanes, 0, pieces.bytes);
    }
    const auto turn = machine::take_store_turn(warp, access);
    Mask rewrites = 0;
    Mask undefined = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      const T known = source.known ? ~T{0} : ~source.undefined[lane];
      const auto from = [&](const T& word) {
        return reinterpret_cast<const std::byte*>(&word) + within;
      };
      std::byte* const data = access.data + access.offset[lane];
      std::byte* const shadow = access.shadow + access.offset[lane];
      const bool same = std::memcmp(data, from(source.value[lane]), pieces.bytes) == 0;
      rewrites |= Mask{same} << lane;
      std::memcpy(data, from(source.value[lane]), pieces.bytes);
      std::memcpy(shadow, from(known), pieces.bytes);
      const T all = ~T{0};
      const bool defined = std::memcmp(from(known), from(all), pieces.bytes) == 0;
      undefined |= Mask{!defined} << lane;
    });
    if (undefined != 0 && allocation != nullptr) {
      machine::report_undefined_store(warp, op, access, undefined, 0, pieces.bytes);
    }
    machine::observe_write(warp, op, access, lanes, pieces.bytes, rewrites);
  });
}

/// The stride. The default stride leaves no padding.
Slot stride_of(Lowering& lowering, std::size_t index, const MatrixOperation& operation) {
  if (index < lowering.operand_count()) {
    return lowering.source(lowering.instruction.operands[index], Type::u32);
  }
  const unsigned stride = operation.column_major ? operation.d.rows : operation.d.columns;
  return lowering.function.constant(stride, 32);
}

void lower_transfer(Lowering& lowering, MatrixRole role, bool is_load) {
  const Selection& selection = lowering.selection;
  const Type type = selection.type();
  const std::size_t address_index = is_load ? 1 : 0;
  const auto* address = lowering.operand<ptx::Address>(address_index);
  if (address == nullptr || lowering.operand_count() > 3) {
    throw DecodeError("a fragment, one [address] and an optional stride are expected");
  }
  const bool shared = selection.has("shared") || selection.has("shared::cta");
  lowering.address(*address, shared                    ? Space::shared
                             : selection.has("global") ? Space::global
                                                       : Space::generic);
  auto operation = std::make_shared<MatrixOperation>();
  operation->shape = shape_of(selection);
  operation->column_major = selection.has("col");
  operation->d = layout_of(role, operation->shape, type);
  const std::size_t registers = wmma_registers(role, operation->d, type);
  operation->alignment =
      std::min(32U, static_cast<unsigned>(registers) * (type == Type::f64 ? 8 : 4));
  lower_fragment(lowering, is_load ? 0 : 1, type, registers, is_load);
  Op& op = lowering.result;
  op.operand[1] = stride_of(lowering, 2, *operation);
  if (op.space == Space::shared || op.space == Space::generic) {
    std::size_t& unit = lowering.function.code().shared_unit;
    unit = std::min(unit, std::size_t{machine::pieces_of(*operation).bytes});
  }
  const bool wide = type == Type::f64;
  op.run = is_load ? (wide ? load<std::uint64_t> : load<std::uint32_t>)
                   : (wide ? store<std::uint64_t> : store<std::uint32_t>);
  lowering.detail().matrices = std::move(operation);
}

void lower_load(Lowering& lowering) {
  lower_transfer(lowering,
                 lowering.selection.has("a")   ? MatrixRole::a
                 : lowering.selection.has("b") ? MatrixRole::b
                                               : MatrixRole::accumulator,
                 true);
}
void lower_store(Lowering& lowering) { lower_transfer(lowering, MatrixRole::accumulator, false); }
void lower_wmma(Lowering& lowering) { lower_product(lowering, true); }

constexpr Form form(std::string_view modifiers, std::string_view types, std::string_view section,
                    Lower lower) {
  return {"wmma", modifiers, types, "", section, nullptr, nullptr, lower, true};
}
constexpr Form load_form(std::string_view modifiers, std::string_view types) {
  return form(modifiers, types, "9.7.14.4.3", lower_load);
}
constexpr Form store_form(std::string_view modifiers, std::string_view types) {
  return form(modifiers, types, "9.7.14.4.4", lower_store);
}
constexpr Form product_form(std::string_view modifiers, std::string_view types) {
  return form(modifiers, types, "9.7.14.4.5", lower_wmma);
}

constexpr std::array kForms = {
    load_form("load a|b sync aligned row|col m16n16k16|m8n32k16|m32n8k16 "
              "[global|shared|shared::cta]",
              "f16 bf16 s8 u8"),
    load_form("load c sync aligned row|col m16n16k16|m8n32k16|m32n8k16 "
              "[global|shared|shared::cta]",
              "f16 f32 s32"),
    load_form("load a|b sync aligned row|col m16n16k8 [global|shared|shared::cta]", "tf32"),
    load_form("load c sync aligned row|col m16n16k8 [global|shared|shared::cta]", "f32"),
    load_form("load a|b|c sync aligned row|col m8n8k4 [global|shared|shared::cta]", "f64"),
    load_form("load a sync aligned row m8n8k32 [global|shared|shared::cta]", "s4 u4"),
    load_form("load b sync aligned col m8n8k32 [global|shared|shared::cta]", "s4 u4"),
    load_form("load a sync aligned row m8n8k128 [global|shared|shared::cta]", "b1"),
    load_form("load b sync aligned col m8n8k128 [global|shared|shared::cta]", "b1"),
    load_form("load c sync aligned row|col m8n8k32|m8n8k128 [global|shared|shared::cta]", "s32"),
    store_form("store d sync aligned row|col m16n16k16|m8n32k16|m32n8k16 "
               "[global|shared|shared::cta]",
               "f16 f32 s32"),
    store_form("store d sync aligned row|col m16n16k8 [global|shared|shared::cta]", "f32"),
    store_form("store d sync aligned row|col m8n8k4 [global|shared|shared::cta]", "f64"),
    store_form("store d sync aligned row|col m8n8k32|m8n8k128 [global|shared|shared::cta]", "s32"),
    product_form("mma sync aligned row|col row|col m16n16k16|m8n32k16|m32n8k16",
                 "f16.f16 f16.f32 f32.f16 f32.f32 f32.bf16.bf16.f32"),
    product_form("mma sync aligned row|col row|col m16n16k16|m8n32k16|m32n8k16 [satfinite]",
                 "s32.s8.s8.s32 s32.u8.u8.s32"),
    product_form("mma sync aligned row|col row|col m16n16k8", "f32.tf32.tf32.f32"),
    product_form("mma sync aligned row|col row|col m8n8k4 [rn]", "f64.f64.f64.f64"),
    product_form("mma sync aligned row col m8n8k32 [satfinite]", "s32.s4.s4.s32 s32.u4.u4.s32"),
    product_form("mma xor|and popc sync aligned row col m8n8k128", "s32.b1.b1.s32"),
};

}  // namespace

std::span<const Form> wmma_forms() { return kForms; }

}  // namespace warpcheck::isa

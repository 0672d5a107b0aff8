// Products of warpgroups (PTX ISA 9.7.15): wgmma.mma_async, its fence and its groups. Warp i of the
// group computes rows 16 i to 16 i + 15, with A from its registers or all of A in shared memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "device/virtual/isa/tensor/fragments.hpp"
#include "device/virtual/isa/tensor/mma.hpp"
#include "device/virtual/isa/tensor/shared_matrix.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/block/warpgroup_products.hpp"
#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::kWarpsOfGroup;
using machine::MatrixOperation;
using machine::MatrixRole;
using machine::MatrixShape;
using machine::Op;
using machine::Slot;
using machine::Warp;

constexpr unsigned kRowsOfWarp = 16;
constexpr unsigned kHalfBytes = 2;

unsigned element_bytes(Type type) {
  return type == Type::b1 ? 4 : static_cast<unsigned>(ptx::bytes(type));
}

/// Operands of the op. 1: the descriptor of A, if A is in shared memory; 2: the descriptor of B; 3:
/// the predicate scale-d. The registers are elements of the detail.
constexpr unsigned kA = 1;
constexpr unsigned kB = 2;
constexpr unsigned kScale = 3;

machine::ProductRegisters registers_of(const Op& op) {
  const MatrixOperation& o = *op.detail->matrices;
  const std::span<const Slot> all = op.detail->elements;
  return {all.first(o.first_a), all.subspan(o.first_a), std::uint64_t{o.shape.n} << 32 | o.shape.k};
}

/// The value that all lanes have in a register. If lanes differ and the launch continues, the value
/// of lane 0. Empty if the launch ends.
std::optional<std::uint64_t> uniform(Warp& warp, const Op& op, unsigned operand,
                                     std::string_view what) {
  const Slot slot = op.operand[operand];
  if (const machine::Mask unknown = ~warp.defined(slot)) {
    const std::string message = fmt::format("{} is undefined", what);
    if (!warp.goes_on_with_undefined(op, slot, unknown, message.c_str())) return std::nullopt;
  }
  if (op.bits[operand] == 1) {
    const machine::Mask mask = warp.predicate(slot);
    if (mask == 0 || mask == machine::kAllLanes) return mask & 1;
  } else {
    const auto* const values = warp.lanes<std::uint64_t>(slot);
    if (std::all_of(values, values + kLanes, [&](auto value) { return value == values[0]; })) {
      return values[0];
    }
  }
  if (!warp.goes_on_after(op, machine::kAllLanes, FindingClass::barrier_divergence,
                          fmt::format("{} differs between lanes of a warp", what))) {
    return std::nullopt;
  }
  return op.bits[operand] == 1 ? warp.predicate(slot) & 1 : warp.lanes<std::uint64_t>(slot)[0];
}

/// The descriptor of a matrix. Empty if the launch ends. A base offset ends it, because it moves
/// the pattern of a swizzle in a way that no recording shows yet.
std::optional<MatrixDescriptor> descriptor_of(Warp& warp, const Op& op, unsigned operand,
                                              std::uint64_t& identity) {
  const auto bits =
      uniform(warp, op, operand, operand == kA ? "the descriptor of A" : "the descriptor of B");
  if (!bits) return std::nullopt;
  const MatrixDescriptor descriptor(*bits);
  identity = identity * 31 + *bits;
  if (descriptor.base_offset == 0 || descriptor.swizzle == MatrixDescriptor::Swizzle::none) {
    return descriptor;
  }
  warp.block().stop_beyond_limit(
      {"wgmma.mma_async", "the virtual device does not implement descriptors with a base offset",
       "9.7.15.5.1", source_place(*warp.block().launch().program, *warp.frame().code, op)});
  return std::nullopt;
}

/// The bits of the sign of an element.
std::uint32_t sign_of(Type type) {
  return type == Type::tf32 ? 1U << 31 : 1U << (8 * element_bytes(type) - 1);
}

void negate(Tile& tile, Type type) {
  for (std::uint32_t& value : std::span(tile.value.get(), tile.elements)) value ^= sign_of(type);
}

struct Operands {
  Tile a;
  Tile b;
  Tile c;
  std::uint64_t identity = 0;  // identifies the matrices in shared memory
};

/// Reads A and B. Returns false if a finding was reported.
bool read_factors(Warp& warp, const Op& op, SharedOperands& shared, Operands& operands) {
  const MatrixOperation& o = *op.detail->matrices;
  const machine::WarpgroupOperands& how = o.warpgroup;
  const unsigned depth = kBytesOfK / element_bytes(o.a_type);
  if (how.a_in_registers) {
    gather<std::uint32_t>(warp, registers_of(op).factors.data(), o.a, o.a_type, operands.a);
  } else {
    const auto descriptor = descriptor_of(warp, op, kA, operands.identity);
    if (!descriptor) return false;
    const unsigned first = warp.index() % kWarpsOfGroup * kRowsOfWarp;
    const SharedMatrix a{*descriptor, how.a_by_lines,          first,
                         kRowsOfWarp, element_bytes(o.a_type), ptx::is_signed(o.a_type)};
    if (!shared.read(a, depth, 1, operands.a)) return false;
  }
  const auto descriptor = descriptor_of(warp, op, kB, operands.identity);
  if (!descriptor) return false;
  const unsigned n = o.shape.n;
  const SharedMatrix b{*descriptor, how.b_by_lines,          0,
                       n,           element_bytes(o.b_type), ptx::is_signed(o.b_type)};
  return shared.read(b, 1, n, operands.b);
}

void multiply(const MatrixOperation& o, Operands& operands, Tile& d) {
  const semantics::MmaShape shape{static_cast<int>(kRowsOfWarp), static_cast<int>(o.shape.n),
                                  static_cast<int>(o.shape.k)};
  const auto* const a = operands.a.value.get();
  const auto* const b = operands.b.value.get();
  const auto* const c = operands.c.value.get();
  if (o.a_type == Type::b1) {
    semantics::mma(shape, semantics::BitOperation::conjunction, a, b,
                   reinterpret_cast<const std::int32_t*>(c),
                   reinterpret_cast<std::int32_t*>(d.value.get()));
  } else if (ptx::is_integer(o.a_type)) {
    semantics::mma(shape, reinterpret_cast<const std::int32_t*>(a),
                   reinterpret_cast<const std::int32_t*>(b),
                   reinterpret_cast<const std::int32_t*>(c),
                   reinterpret_cast<std::int32_t*>(d.value.get()), o.satfinite);
  } else {
    static const semantics::TensorModel model = semantics::warpgroup_tensor_model();
    semantics::mma(
        model, shape, input_of(o.a_type), a, input_of(o.b_type), b,
        o.d_type == Type::f16 ? semantics::MmaAccumulator::f16 : semantics::MmaAccumulator::f32, c,
        d.value.get());
  }
}

/// Computes the definedness of D. An element depends on a row of A, a column of B and an element of
/// C.
void derive_definedness(const MatrixOperation& o, const Operands& operands, Tile& d) {
  d.known = operands.a.known && operands.b.known && operands.c.known;
  if (d.known) return;
  const std::size_t depth = kBytesOfK / element_bytes(o.a_type);
  const std::size_t n = o.shape.n;
  const auto undefined = [](const Tile& tile, std::size_t place) {
    return !tile.known && tile.undefined[place] != 0;
  };
  for (std::size_t row = 0; row < kRowsOfWarp; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      bool any = undefined(operands.c, row * n + column);
      for (std::size_t k = 0; k < depth && !any; ++k) {
        any = undefined(operands.a, row * depth + k) || undefined(operands.b, k * n + column);
      }
      d.undefined[row * n + column] = any ? 1 : 0;
    }
  }
}

/// Returns false, after reporting a finding, if the block does not have all four warps of the
/// group.
bool is_whole_group(Warp& warp, const Op& op) {
  const unsigned end = (warp.index() / kWarpsOfGroup + 1) * kWarpsOfGroup * kLanes;
  if (end <= warp.block().threads()) return true;
  static_cast<void>(warp.goes_on_after(
      op, warp.active(), FindingClass::barrier_divergence,
      fmt::format("a warpgroup is four warps whose first has a number that is a multiple "
                  "of 4; the block has {} threads",
                  warp.block().threads())));
  return false;
}

Flow product(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op) || !is_whole_group(warp, op)) {
    return machine::skip_with_zeros<std::uint32_t>(warp, registers_of(op).accumulators);
  }
  const MatrixOperation& o = *op.detail->matrices;
  machine::WarpgroupProducts& products = warp.block().warpgroup_products();
  const auto accumulates = uniform(warp, op, kScale, "scale-d");
  if (!accumulates) return Flow::leave;
  const machine::ProductRegisters registers = registers_of(op);
  products.check_registers(warp, op, registers);
  const std::size_t depth = kBytesOfK / element_bytes(o.a_type);
  const std::size_t n = o.shape.n;
  Operands operands{Tile(kRowsOfWarp * depth), Tile(depth * n), Tile(kRowsOfWarp * n)};
  SharedOperands shared(warp, op);
  if (!read_factors(warp, op, shared, operands)) return Flow::leave;
  shared.observe();
  if (!products.issue(warp, op, registers, operands.identity, shared.reads())) {
    return warp.fault(op, warp.active(), FindingClass::barrier_divergence,
                      "the warps of a warpgroup execute different wgmma.mma_async, or with "
                      "different descriptors");
  }
  if (*accumulates != 0) {
    gather<std::uint32_t>(warp, registers.accumulators.data(), o.c, o.c_type, operands.c);
  } else {
    std::fill_n(operands.c.value.get(), operands.c.elements, 0U);
  }
  if (o.warpgroup.negate_a) negate(operands.a, o.a_type);
  if (o.warpgroup.negate_b) negate(operands.b, o.b_type);
  Tile d(kRowsOfWarp * n);
  multiply(o, operands, d);
  derive_definedness(o, operands, d);
  scatter<std::uint32_t>(warp, registers.accumulators.data(), o.d, d);
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

Flow fence(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return machine::skip_with_zeros<std::uint32_t>(warp, {});
  warp.block().warpgroup_products().fence(warp.index());
  return Flow::next;
}

Flow commit(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return machine::skip_with_zeros<std::uint32_t>(warp, {});
  warp.block().warpgroup_products().commit(warp.index());
  return Flow::next;
}

/// Waits for the other warps of the group, so that all have issued the products for which one of
/// them has waited. This does not order their other accesses.
Flow wait(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op) || !is_whole_group(warp, op)) {
    return machine::skip_with_zeros<std::uint32_t>(warp, {});
  }
  if (!warp.block().warpgroup_products().wait(warp, static_cast<std::uint32_t>(op.immediate))) {
    return warp.fault(op, warp.active(), FindingClass::barrier_divergence,
                      "the warps of a warpgroup have executed different numbers of "
                      "wgmma.mma_async");
  }
  const unsigned barrier = machine::kFirstWarpgroupBarrier + warp.index() / kWarpsOfGroup;
  const Flow flow = warp.wait_at_barrier(op, barrier);
  warp.block().arrive(barrier, warp.index(), kLanes, kWarpsOfGroup * kLanes, 0, false);
  return flow;
}

/// An immediate of 1 or -1 (scale), or of 0 or 1 (transpose).
bool flag(const Lowering& lowering, std::size_t index, std::int64_t if_set, std::int64_t if_not) {
  const auto* value = lowering.operand<ptx::Integer>(index);
  const auto number = value == nullptr ? std::int64_t{7} : static_cast<std::int64_t>(value->bits);
  if (static_cast<std::int32_t>(number) == if_set) return true;
  if (static_cast<std::int32_t>(number) == if_not) return false;
  throw DecodeError(fmt::format("operand {} is {} or {}", index + 1, if_set, if_not));
}

void lower_immediates(Lowering& lowering, machine::WarpgroupOperands& how, Type type) {
  const bool is_half = element_bytes(type) == kHalfBytes;
  const std::size_t transposes = !is_half ? 0 : how.a_in_registers ? 1 : 2;
  const std::size_t expected = ptx::is_integer(type) || type == Type::b1 ? 4 : 6 + transposes;
  lowering.expect_operands(expected);
  if (expected == 4) return;
  how.negate_a = flag(lowering, 4, -1, 1);
  how.negate_b = flag(lowering, 5, -1, 1);
  if (transposes == 2) how.a_by_lines = flag(lowering, 6, 1, 0);
  if (transposes != 0) how.b_by_lines = flag(lowering, 5 + transposes, 1, 0);
}

/// `d, a, b, scale-d{, scale-a, scale-b{, transpose-a}, transpose-b}`.
void lower_product_of_group(Lowering& lowering) {
  const Selection& selection = lowering.selection;
  auto operation = std::make_shared<MatrixOperation>();
  MatrixOperation& o = *operation;
  o.shape = shape_of(selection);
  o.d_type = selection.type(0);
  o.c_type = o.d_type;
  o.a_type = selection.type(1);
  o.b_type = selection.type(2);
  o.satfinite = selection.has("satfinite");
  o.warpgroup.a_in_registers = lowering.operand<ptx::Vector>(1) != nullptr;
  lower_immediates(lowering, o.warpgroup, o.a_type);
  const MatrixShape warp_shape{kRowsOfWarp, o.shape.n, kBytesOfK / element_bytes(o.a_type)};
  const unsigned bits = 8 * element_bytes(o.a_type);
  o.a = machine::matrix_layout(MatrixRole::a, warp_shape, bits);
  o.c = layout_of(MatrixRole::accumulator, warp_shape, o.c_type);
  o.d = layout_of(MatrixRole::accumulator, warp_shape, o.d_type);
  lower_fragment(lowering, 0, o.d_type, o.d.registers, true);
  o.first_a = static_cast<std::uint8_t>(lowering.detail().elements.size());
  Op& op = lowering.result;
  const auto& operands = lowering.instruction.operands;
  if (o.warpgroup.a_in_registers) {
    lower_fragment(lowering, 1, o.a_type, o.a.registers, false);
  } else {
    op.operand[kA] = lowering.source(operands[1], Type::b64);
    op.bits[kA] = 64;
  }
  op.operand[kB] = lowering.source(operands[2], Type::b64);
  op.bits[kB] = 64;
  op.operand[kScale] = lowering.source(operands[3], Type::pred);
  op.bits[kScale] = 1;
  lowering.detail().matrices = std::move(operation);
  lowering.function.code().reads_by_async_proxy = true;
  op.run = product;
}

void lower_order(Lowering& lowering) {
  const bool waits = lowering.selection.has("wait_group");
  if (lowering.operand_count() != (waits ? 1U : 0U)) {
    throw DecodeError("only wait_group has an operand, the number of groups");
  }
  if (waits) {
    const auto* groups = lowering.operand<ptx::Integer>(0);
    if (groups == nullptr) throw DecodeError("the number of groups is not a constant");
    lowering.result.immediate = static_cast<std::int64_t>(groups->bits);
  }
  lowering.result.run = waits ? wait : lowering.selection.has("fence") ? fence : commit;
}

constexpr Form product_form(std::string_view modifiers, std::string_view types) {
  return {"wgmma", modifiers, types, "", "9.7.15.5.2", nullptr, nullptr, lower_product_of_group,
          true};
}
constexpr Form order_form(std::string_view modifiers, std::string_view section) {
  return {"wgmma", modifiers, "", "", section, nullptr, nullptr, lower_order, true};
}

// Shapes of 64 rows. n is a multiple of 8; for integers, a multiple of 16 if it exceeds 32.
#define WARPCHECK_SHAPES_OF_16(k)                                                                  \
  "m64n8k" k "|m64n16k" k "|m64n24k" k "|m64n32k" k "|m64n48k" k "|m64n64k" k "|m64n80k" k         \
  "|m64n96k" k "|m64n112k" k "|m64n128k" k "|m64n144k" k "|m64n160k" k "|m64n176k" k "|m64n192k" k \
  "|m64n208k" k "|m64n224k" k "|m64n240k" k "|m64n256k" k
#define WARPCHECK_SHAPES(k)                                                                     \
  WARPCHECK_SHAPES_OF_16(k)                                                                     \
  "|m64n40k" k "|m64n56k" k "|m64n72k" k "|m64n88k" k "|m64n104k" k "|m64n120k" k "|m64n136k" k \
  "|m64n152k" k "|m64n168k" k "|m64n184k" k "|m64n200k" k "|m64n216k" k "|m64n232k" k           \
  "|m64n248k" k
#define WARPCHECK_PRODUCT "mma_async sync aligned "

constexpr std::array kForms = {
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES("16"), "f16.f16.f16 f32.f16.f16 f32.bf16.bf16"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES("8"), "f32.tf32.tf32"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES("32"),
                 "f16.e4m3.e4m3 f16.e4m3.e5m2 f16.e5m2.e4m3 f16.e5m2.e5m2 "
                 "f32.e4m3.e4m3 f32.e4m3.e5m2 f32.e5m2.e4m3 f32.e5m2.e5m2"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES_OF_16("32") " [satfinite]",
                 "s32.s8.s8 s32.s8.u8 s32.u8.s8 s32.u8.u8"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES_OF_16("256") " and popc", "s32.b1.b1"),
    order_form("fence sync aligned", "9.7.15.7.1"),
    order_form("commit_group sync aligned", "9.7.15.7.2"),
    order_form("wait_group sync aligned", "9.7.15.7.3"),
};

}  // namespace

std::span<const Form> warpgroup_forms() { return kForms; }

}  // namespace warpcheck::isa

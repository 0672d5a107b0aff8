// Tensor maps that a kernel makes: tensormap.replace (PTX ISA 9.7.9.28) and tensormap.cp_fenceproxy
// (9.7.13.18). Both access the whole map as a weak operation.
#include "device/tensor_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/memory/bulk.hpp"
#include "device/virtual/machine/family/grid_family.hpp"
#include "device/virtual/machine/lanes/convergence.hpp"

namespace warpcheck::isa {
namespace {

using bulk::Image;
using bulk::kCoordinates;
using bulk::kFrom;
using bulk::kTo;
using bulk::Place;
using device::kTensorMapAlignment;
using device::kTensorMapBytes;
using device::TensorMapField;
using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::ResolvedAccess;
using machine::Slot;
using machine::Space;
using machine::Warp;

/// The operands behind the address are elements of the detail.
constexpr std::size_t kValue = kCoordinates;
constexpr std::size_t kOrdinal = kCoordinates + 1;

constexpr std::string_view kReplace = "tensormap.replace";
constexpr std::string_view kCopy = "tensormap.cp_fenceproxy";

bool is_defined(std::byte known) { return known == std::byte{0xff}; }

Image read_map(const Place& place) {
  Image map(kTensorMapBytes);
  const auto& bytes = place.container.bytes;
  std::copy_n(bytes.data + place.offset(), kTensorMapBytes, map.data.begin());
  std::copy_n(bytes.shadow + place.offset(), kTensorMapBytes, map.shadow.begin());
  return map;
}

/// Writes a map as a store of one lane does.
void write_map(Warp& warp, const Op& op, const Place& place, unsigned lane, const Image& map) {
  const Mask bit = Mask{1} << lane;
  const machine::LaneOffsets none{};
  const machine::Container& container = place.container;
  const ResolvedAccess resolved{container.bytes.data + place.offset(),
                                container.bytes.shadow + place.offset(),
                                none.data(),
                                &container,
                                machine::Pattern::equal,
                                place.offset()};
  const bool is_global = container.space == Space::global && container.allocation != nullptr;
  if (is_global && container.allocation->needs_care()) {
    machine::inspect_store(warp, op, resolved, bit, 0, kTensorMapBytes);
  }
  {
    const std::lock_guard turn(warp.block().launch().family->store_mutex());
    const bool same = std::memcmp(resolved.data, map.data.data(), kTensorMapBytes) == 0;
    std::copy(map.data.begin(), map.data.end(), resolved.data);
    std::copy(map.shadow.begin(), map.shadow.end(), resolved.shadow);
    machine::observe_write(warp, op, resolved, bit, kTensorMapBytes, same ? bit : Mask{0});
  }
  if (is_global && !std::all_of(map.shadow.begin(), map.shadow.end(), is_defined)) {
    machine::report_undefined_store(warp, op, resolved, bit, 0, kTensorMapBytes);
  }
}

template <TensorMapField field>
Flow replace(Warp& warp, const Op& op) {
  const auto replace_field = [&](unsigned lane) {
    const Mask bit = Mask{1} << lane;
    const Place place = bulk::place_of(warp, op, kTo, op.space, lane);
    if (!bulk::check(warp, op, bit, place, kTensorMapBytes, kTensorMapAlignment, true, kReplace)) {
      return;
    }
    Image map = read_map(place);
    const Slot value = op.detail->elements[kValue];
    const bool is_wide = field == TensorMapField::address || field == TensorMapField::stride;
    device::replace(
        std::span<std::byte, kTensorMapBytes>(map.data), field,
        warp.lanes<std::uint32_t>(op.detail->elements[kOrdinal])[lane],
        is_wide ? warp.lanes<std::uint64_t>(value)[lane] : warp.lanes<std::uint32_t>(value)[lane]);
    write_map(warp, op, place, lane, map);
  };
  return bulk::for_each_lane(warp, op, replace_field, kReplace);
}

/// One lane copies for the warp. The release orders the copy before later uses of the map.
Flow copy(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return machine::skip_with_zeros<std::uint32_t>(warp, {});
  if (bulk::undefined_operands(warp, op) != 0) {
    return bulk::for_each_lane(
        warp, op, [](unsigned) {}, kCopy);
  }
  constexpr Mask kFirst = 1;
  const Place from = bulk::place_of(warp, op, kFrom, Space::shared, 0);
  const Place to = bulk::place_of(warp, op, kTo, Space::global, 0);
  if (bulk::check(warp, op, kFirst, from, kTensorMapBytes, kTensorMapAlignment, false, kCopy) &&
      bulk::check(warp, op, kFirst, to, kTensorMapBytes, kTensorMapAlignment, true, kCopy)) {
    bulk::observe_source(warp, op, from.container, from.offset(), kTensorMapBytes, kFirst);
    write_map(warp, op, to, 0, read_map(from));
    warp.block().races().clocks().fence(warp.index(), warp.active(), {op.scope, false, true});
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// The integer that an operand must be.
std::uint64_t immediate(const Lowering& lowering, std::size_t index, const char* name,
                        std::uint64_t most) {
  const auto* integer = lowering.operand<ptx::Integer>(index);
  if (integer == nullptr) throw DecodeError(fmt::format("{} must be an immediate", name));
  if (integer->bits > most) {
    throw DecodeError(fmt::format("{} is {}: expected 0 to {}", name, integer->bits, most));
  }
  return integer->bits;
}

Space space_of(const Selection& selection) {
  return selection.has("global")        ? Space::global
         : selection.has("shared::cta") ? Space::shared
                                        : Space::generic;
}

/// `[map], {ordinal, }value`. `most`: the largest value of a field whose value is an immediate.
template <TensorMapField field, std::uint64_t most = 0>
void lower_replace(Lowering& lowering) {
  constexpr bool kHasOrdinal = field == TensorMapField::box || field == TensorMapField::dim ||
                               field == TensorMapField::stride || field == TensorMapField::step;
  constexpr std::size_t kValueIndex = kHasOrdinal ? 2 : 1;
  constexpr std::uint64_t kLast =
      device::kMostTensorDimensions - (field == TensorMapField::stride ? 2 : 1);
  lowering.expect_operands(kValueIndex + 1);
  bulk::lower_address(lowering, 0, kTo, space_of(lowering.selection));
  bulk::set_element(lowering, bulk::kSize, machine::kNoSlot);
  if (most != 0) static_cast<void>(immediate(lowering, kValueIndex, "the new value", most));
  const std::uint64_t ordinal = kHasOrdinal ? immediate(lowering, 1, "the dimension", kLast) : 0;
  auto& elements = lowering.detail().elements;
  elements.push_back(
      lowering.source(lowering.instruction.operands[kValueIndex], lowering.selection.type()));
  elements.push_back(lowering.function.constant(ordinal, 32));
  lowering.result.operand[kFrom] = machine::kNoSlot;
  lowering.result.operand[bulk::kObject] = machine::kNoSlot;
  lowering.result.run = replace<field>;
}

/// `[to], [from], 128`.
void lower_copy(Lowering& lowering) {
  lowering.expect_operands(3);
  bulk::lower_address(lowering, 0, kTo, Space::global);
  bulk::lower_address(lowering, 1, kFrom, Space::shared);
  if (immediate(lowering, 2, "the size", kTensorMapBytes) != kTensorMapBytes) {
    throw DecodeError("the size must be 128");
  }
  lowering.result.operand[bulk::kObject] = machine::kNoSlot;
  lowering.result.scope = scope_of(lowering.selection);
  lowering.result.releases = true;
  lowering.result.run = copy;
}

template <TensorMapField field, std::uint64_t most = 0>
constexpr Form replace_form(std::string_view modifiers, std::string_view type = "b32") {
  return {"tensormap", modifiers, type,    "",
          "9.7.9.28",  nullptr,   nullptr, lower_replace<field, most>};
}

#define WARPCHECK_SPACE " [global|shared::cta] b1024"

constexpr std::array kForms = {
    replace_form<TensorMapField::address>("replace tile global_address" WARPCHECK_SPACE, "b64"),
    replace_form<TensorMapField::rank>("replace tile rank" WARPCHECK_SPACE),
    replace_form<TensorMapField::box>("replace tile box_dim" WARPCHECK_SPACE),
    replace_form<TensorMapField::dim>("replace tile global_dim" WARPCHECK_SPACE),
    replace_form<TensorMapField::stride>("replace tile global_stride" WARPCHECK_SPACE, "b64"),
    replace_form<TensorMapField::step>("replace tile element_stride" WARPCHECK_SPACE),
    replace_form<TensorMapField::type, 12>("replace tile elemtype" WARPCHECK_SPACE),
    replace_form<TensorMapField::interleave, 2>("replace tile interleave_layout" WARPCHECK_SPACE),
    replace_form<TensorMapField::swizzle, 3>("replace tile swizzle_mode" WARPCHECK_SPACE),
    replace_form<TensorMapField::fill, 1>("replace tile fill_mode" WARPCHECK_SPACE),
    Form{"tensormap",
         "cp_fenceproxy global shared::cta tensormap::generic release cta|cluster|gpu|sys sync "
         "aligned",
         "", "", "9.7.13.18", nullptr, nullptr, lower_copy, true},
};

}  // namespace

std::span<const Form> tensor_map_forms() { return kForms; }

}  // namespace warpcheck::isa

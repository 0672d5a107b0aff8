// Bulk copies of tensors (PTX ISA 9.7.9.27). A tensor map describes the tensor, and coordinates
// select the part that is copied.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/memory/bulk.hpp"
#include "device/virtual/machine/block/bulk_stores.hpp"

namespace warpcheck::isa {
namespace {

using bulk::check;
using bulk::Image;
using bulk::kCoordinates;
using bulk::kFrom;
using bulk::kObject;
using bulk::kTensorAlignment;
using bulk::kTo;
using bulk::Part;
using bulk::Place;
using bulk::place_of;
using device::TensorMap;
using machine::BulkStore;
using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::Space;
using machine::Warp;
using semantics::TensorAccess;
using semantics::TensorChunk;
using semantics::TensorPlace;

enum class Mode : std::uint8_t { tile, im2col, im2col_without_offsets };

constexpr std::uint64_t kMapAlignment = device::kTensorMapAlignment;

void report(Warp& warp, const Op& op, unsigned lane, FindingClass kind, std::string what) {
  static_cast<void>(warp.goes_on_after(op, Mask{1} << lane, kind, std::move(what)));
}

/// Reads the map of a lane's copy. Empty if a finding was reported.
std::optional<TensorMap> read_map(Warp& warp, const Op& op, unsigned lane, unsigned operand) {
  const Mask bit = Mask{1} << lane;
  const Place place = place_of(warp, op, operand, Space::generic, lane);
  if (!check(warp, op, bit, place, device::kTensorMapBytes, kMapAlignment, false)) {
    return std::nullopt;
  }
  if (place.container.space == Space::global) {
    bulk::observe_source(warp, op, place.container, place.offset(), device::kTensorMapBytes, bit);
  }
  const std::byte* const data = place.container.bytes.data + place.offset();
  const std::byte* const shadow = place.container.bytes.shadow + place.offset();
  const std::string where = fmt::format("byte {} of {}", place.offset(), *place.container.name);
  if (std::any_of(shadow, shadow + device::kTensorMapBytes,
                  [](std::byte known) { return known != std::byte{0xff}; })) {
    report(warp, op, lane, FindingClass::uninitialized_read,
           fmt::format("the tensor map at {} is undefined", where));
    return std::nullopt;
  }
  const std::span<const std::byte, device::kTensorMapBytes> bytes(data, device::kTensorMapBytes);
  auto map = device::decode(bytes);
  if (!map) {
    report(warp, op, lane, FindingClass::illegal_instruction,
           fmt::format("the 128 bytes at {} are no tensor map", where));
  } else if (device::has_replaced_field(bytes)) {
    if (const auto reason = device::illegal_argument(*map)) {
      report(warp, op, lane, FindingClass::illegal_instruction,
             fmt::format("the tensor map at {}, of which tensormap.replace changed a field, is "
                         "illegal: {}",
                         where, *reason));
      return std::nullopt;
    }
  }
  return map;
}

/// Returns true if the instruction may use the map; otherwise reports a finding.
bool fits(Warp& warp, const Op& op, unsigned lane, const TensorMap& map, unsigned rank, Mode mode) {
  if (map.rank != rank) {
    report(warp, op, lane, FindingClass::illegal_instruction,
           fmt::format("the instruction has {} coordinates, the tensor map {} dimensions", rank,
                       map.rank));
    return false;
  }
  if (map.im2col != (mode != Mode::tile)) {
    report(warp, op, lane, FindingClass::illegal_instruction,
           map.im2col ? "the tensor map is one of im2col, the instruction copies a tile"
                      : "the instruction needs a tensor map of im2col");
    return false;
  }
  return true;
}

template <Mode mode>
unsigned rank_of(const Op& op) {
  const auto operands = static_cast<unsigned>(op.detail->elements.size() - kCoordinates);
  return mode == Mode::im2col ? (operands + 2) / 2 : operands;  // im2col has rank - 2 offsets
}

template <Mode mode>
TensorPlace tensor_place(const Warp& warp, const Op& op, unsigned lane) {
  const unsigned rank = rank_of<mode>(op);
  const Slot* const slot = &op.detail->elements[kCoordinates];
  TensorPlace place;
  for (unsigned i = 0; i < rank; ++i) place.at[i] = warp.lanes<std::int32_t>(slot[i])[lane];
  for (unsigned i = 0; mode == Mode::im2col && i + 2 < rank; ++i) {
    place.offset[i] = warp.lanes<std::uint16_t>(slot[rank + i])[lane];
  }
  return place;
}

/// Merges chunks that are consecutive in shared memory into parts.
std::vector<Part> parts_of(semantics::TensorBox box) {
  std::sort(box.begin(), box.end(), [](const TensorChunk& one, const TensorChunk& other) {
    return one.shared < other.shared;
  });
  std::vector<Part> parts;
  for (const TensorChunk& chunk : box) {
    if (parts.empty() || parts.back().first + parts.back().bytes != chunk.shared) {
      parts.push_back({chunk.shared, 0});
    }
    parts.back().bytes += bulk::kUnit;
  }
  return parts;
}

std::uint32_t span_of(const std::vector<Part>& parts) {
  return parts.empty() ? 0 : parts.back().first + parts.back().bytes;
}

/// Consecutive bytes of the tensor.
struct Range {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

std::vector<Range> ranges_of(const semantics::TensorBox& box) {
  std::vector<Range> ranges;
  for (const TensorChunk& chunk : box) {
    if (chunk.first == chunk.end) continue;
    const std::uint64_t first = chunk.address + chunk.first;
    if (ranges.empty() || ranges.back().address + ranges.back().bytes != first) {
      ranges.push_back({first, 0});
    }
    ranges.back().bytes += chunk.end - chunk.first;
  }
  return ranges;
}

Place global_place(Warp& warp, std::uint64_t address) {
  Op part;
  part.space = Space::global;
  return {locate(warp, part, address), address};
}

/// The place of a range in global memory. Reports a finding and returns empty if it does not exist.
std::optional<Place> global_range(Warp& warp, const Op& op, unsigned lane, const Range& range,
                                  bool write) {
  const Place place = global_place(warp, range.address);
  if (!check(warp, op, Mask{1} << lane, place, range.bytes, 1, write)) return std::nullopt;
  return place;
}

/// Reads the chunks of a box to their places in shared memory. Chunks that do not exist are zeros.
void read_box(Warp& warp, const Op& op, unsigned lane, const TensorMap& map,
              const semantics::TensorBox& box, Image& image) {
  std::uint64_t transferred = 0;
  for (const Range& range : ranges_of(box)) {
    const auto place = global_range(warp, op, lane, range, false);
    if (!place) continue;
    bulk::observe_source(warp, op, place->container, place->offset(), range.bytes, Mask{1} << lane);
    transferred += range.bytes;
  }
  if (warp.block().faulted()) return;
  bulk::count_transfer(warp, op, transferred);
  for (const TensorChunk& chunk : box) {
    std::byte* const data = &image.data[chunk.shared];
    std::byte* const shadow = &image.shadow[chunk.shared];
    for (std::size_t i = 0; i < bulk::kUnit; ++i) data[i] = semantics::fill_of(map, i);
    std::fill_n(shadow, bulk::kUnit, std::byte{0xff});
    const std::size_t bytes = chunk.end - chunk.first;
    if (bytes == 0) continue;
    const Place place = global_place(warp, chunk.address + chunk.first);
    if (!place.holds(bytes)) {
      std::fill_n(data + chunk.first, bytes, std::byte{0});
      continue;
    }
    std::copy_n(place.container.bytes.data + place.offset(), bytes, data + chunk.first);
    std::copy_n(place.container.bytes.shadow + place.offset(), bytes, shadow + chunk.first);
    semantics::convert_loaded(map, {data + chunk.first, bytes});
  }
}

bool is_legal(Warp& warp, const Op& op, unsigned lane, const TensorMap& map,
              const TensorPlace& place, TensorAccess access) {
  std::string reason = semantics::illegal_place(map, place, access);
  if (reason.empty()) return true;
  report(warp, op, lane, FindingClass::illegal_instruction, std::move(reason));
  return false;
}

template <Mode mode>
Flow load(Warp& warp, const Op& op) {
  return bulk::for_each_lane(warp, op, [&](unsigned lane) {
    const auto map = read_map(warp, op, lane, kFrom);
    if (!map || !fits(warp, op, lane, *map, rank_of<mode>(op), mode)) return;
    TensorPlace place = tensor_place<mode>(warp, op, lane);
    if (!is_legal(warp, op, lane, *map, place, TensorAccess::load)) return;
    const Place to = place_of(warp, op, kTo, Space::shared, lane);
    place.shared = to.container.shared_begin + to.offset();
    const semantics::TensorBox box = semantics::tensor_box(*map, place);
    const std::vector<Part> parts = parts_of(box);
    Image image(span_of(parts));
    read_box(warp, op, lane, *map, box, image);
    if (warp.block().faulted()) return;
    const auto transferred = static_cast<std::uint32_t>(box.size() * bulk::kUnit);
    bulk::deliver(warp, op, lane, image, parts, transferred, kTensorAlignment);
  });
}

/// Adds the pieces of global memory that receive the chunks, and the bytes for them. Pieces that do
/// not exist are omitted.
void add_pieces(Warp& warp, const Op& op, const Place& from, const semantics::TensorBox& box,
                BulkStore& store) {
  for (const TensorChunk& chunk : box) {
    const std::size_t bytes = chunk.end - chunk.first;
    if (bytes == 0) continue;
    const auto place =
        global_range(warp, op, store.lane, {chunk.address + chunk.first, bytes}, true);
    if (!place) continue;
    const std::uint64_t source = from.offset() + chunk.shared + chunk.first;
    store.pieces.push_back({place->container, place->offset(), store.data.size(), bytes});
    const auto& shared = from.container.bytes;
    store.data.insert(store.data.end(), shared.data + source, shared.data + source + bytes);
    store.shadow.insert(store.shadow.end(), shared.shadow + source, shared.shadow + source + bytes);
  }
}

template <Mode mode>
Flow store(Warp& warp, const Op& op) {
  return bulk::for_each_lane(warp, op, [&](unsigned lane) {
    const Mask bit = Mask{1} << lane;
    const auto map = read_map(warp, op, lane, kTo);
    if (!map || !fits(warp, op, lane, *map, rank_of<mode>(op), mode)) return;
    TensorPlace place = tensor_place<mode>(warp, op, lane);
    if (!is_legal(warp, op, lane, *map, place, TensorAccess::store)) return;
    const Place from = place_of(warp, op, kFrom, Space::shared, lane);
    place.shared = from.container.shared_begin + from.offset();
    const semantics::TensorBox box = semantics::stored_box(*map, place);
    const std::vector<Part> parts = parts_of(box);
    if (!check(warp, op, bit, from, span_of(parts), kTensorAlignment, false)) return;
    BulkStore copy;
    copy.op = &op;
    copy.lane = lane;
    for (const Part& part : parts) {
      copy.sources.push_back({from.container, from.offset() + part.first, part.bytes});
    }
    add_pieces(warp, op, from, box, copy);
    if (warp.block().faulted()) return;
    if (!bulk::set_reduction(op, map->type, copy.reduction)) {
      report(warp, op, lane, FindingClass::illegal_instruction,
             fmt::format("the reduction does not exist for elements of type {}",
                         device::tensor_element_names()[map->type]));
      return;
    }
    warp.block().bulk_stores().issue(warp, std::move(copy));
  });
}

template <Mode mode>
Flow prefetch(Warp& warp, const Op& op) {
  return bulk::for_each_lane(warp, op, [&](unsigned lane) {
    const auto map = read_map(warp, op, lane, kFrom);
    if (!map || !fits(warp, op, lane, *map, rank_of<mode>(op), mode)) return;
    const TensorPlace place = tensor_place<mode>(warp, op, lane);
    static_cast<void>(is_legal(warp, op, lane, *map, place, TensorAccess::load));
  });
}

unsigned declared_rank(const Selection& selection) {
  for (unsigned rank = 1; rank <= device::kMostTensorDimensions; ++rank) {
    if (selection.has(fmt::format("{}d", rank))) return rank;
  }
  throw DecodeError("the number of dimensions is missing");
}

void add_elements(Lowering& lowering, const std::vector<ptx::Element>& members, std::size_t count,
                  Type type) {
  if (members.size() != count) {
    throw DecodeError(fmt::format("{} coordinates are given, {} expected", members.size(), count));
  }
  for (const ptx::Element& member : members) {
    const Slot slot = lowering.source_element(member, type);
    if (slot == machine::kNoSlot) throw DecodeError("a coordinate is missing");
    lowering.detail().elements.push_back(slot);
  }
}

/// Lowers `[map, {coordinates}]`, and the offsets of im2col, which are a vector at `offsets`.
void lower_tensor(Lowering& lowering, std::size_t index, unsigned operand, std::size_t offsets,
                  Mode mode) {
  const unsigned rank = declared_rank(lowering.selection);
  if (mode != Mode::tile && rank < 3) throw DecodeError("im2col needs 3 to 5 dimensions");
  bulk::lower_address(lowering, index, operand, Space::generic);
  if (lowering.result.detail == &machine::kNoDetail) {
    bulk::set_element(lowering, bulk::kSize, machine::kNoSlot);
  }
  add_elements(lowering, lowering.operand<ptx::Address>(index)->coordinates, rank, Type::s32);
  if (mode != Mode::im2col) return;
  const auto* vector = lowering.operand<ptx::Vector>(offsets);
  if (vector == nullptr) throw DecodeError("the offsets of im2col are expected");
  add_elements(lowering, vector->elements, rank - 2, Type::u16);
}

/// `[to], [map, {coordinates}], [mbarrier]{, {offsets}}{, mask}{, policy}`.
template <Mode mode>
void lower_load(Lowering& lowering) {
  const std::size_t own = mode == Mode::im2col ? 4 : 3;
  lowering.expect_operands(own + bulk::trailing_operands(lowering.selection));
  bulk::lower_address(lowering, 0, kTo, Space::shared);
  bulk::lower_address(lowering, 2, kObject, Space::shared);
  bulk::lower_multicast(lowering, own);
  lower_tensor(lowering, 1, kFrom, 3, mode);
  lowering.result.run = load<mode>;
}

/// `[map, {coordinates}], [from]{, policy}`.
template <Mode mode>
void lower_store(Lowering& lowering) {
  lowering.expect_operands(2 + bulk::trailing_operands(lowering.selection));
  bulk::lower_address(lowering, 1, kFrom, Space::shared);
  bulk::read_shared(lowering);
  lower_tensor(lowering, 0, kTo, 0, mode);
  lowering.result.operand[kObject] = machine::kNoSlot;
  if (lowering.selection.has("reduce")) bulk::lower_reduction(lowering, 0);
  lowering.result.run = store<mode>;
}

/// `[map, {coordinates}]{, {offsets}}{, policy}`.
template <Mode mode>
void lower_prefetch(Lowering& lowering) {
  const std::size_t own = mode == Mode::im2col ? 2 : 1;
  lowering.expect_operands(own + bulk::trailing_operands(lowering.selection));
  lower_tensor(lowering, 0, kFrom, 1, mode);
  lowering.result.operand[kTo] = lowering.result.operand[kFrom];
  lowering.result.operand[kObject] = machine::kNoSlot;
  lowering.result.run = prefetch<mode>;
}

constexpr std::string_view kLoad = "9.7.9.27.1.2";
constexpr std::string_view kReduce = "9.7.9.27.1.3";
constexpr std::string_view kPrefetch = "9.7.9.27.1.4";

constexpr Form form(std::string_view modifiers, std::string_view section, Lower lower) {
  return {"cp", modifiers, "", "", section, nullptr, nullptr, lower};
}

#define WARPCHECK_RANK "1d|2d|3d|4d|5d "
#define WARPCHECK_PIXELS "3d|4d|5d "
#define WARPCHECK_LOAD                                                                     \
  " shared::cluster|shared::cta global mbarrier::complete_tx::bytes [multicast::cluster] " \
  "[L2::cache_hint]"
#define WARPCHECK_STORE " global shared::cta bulk_group [L2::cache_hint]"
#define WARPCHECK_OPERATION " add|min|max|inc|dec|and|or|xor"

constexpr std::array kForms = {
    form("async bulk tensor " WARPCHECK_RANK "[tile]" WARPCHECK_LOAD, kLoad,
         lower_load<Mode::tile>),
    form("async bulk tensor " WARPCHECK_PIXELS "im2col" WARPCHECK_LOAD, kLoad,
         lower_load<Mode::im2col>),
    form("async bulk tensor " WARPCHECK_RANK "[tile]" WARPCHECK_STORE, kLoad,
         lower_store<Mode::tile>),
    form("async bulk tensor " WARPCHECK_PIXELS "im2col_no_offs" WARPCHECK_STORE, kLoad,
         lower_store<Mode::im2col_without_offsets>),
    form("reduce async bulk tensor " WARPCHECK_RANK "[tile]" WARPCHECK_STORE WARPCHECK_OPERATION,
         kReduce, lower_store<Mode::tile>),
    form("reduce async bulk tensor " WARPCHECK_PIXELS
         "im2col_no_offs" WARPCHECK_STORE WARPCHECK_OPERATION,
         kReduce, lower_store<Mode::im2col_without_offsets>),
    form("async bulk prefetch tensor " WARPCHECK_RANK "L2 global [tile] [L2::cache_hint]",
         kPrefetch, lower_prefetch<Mode::tile>),
    form("async bulk prefetch tensor " WARPCHECK_PIXELS "L2 global im2col [L2::cache_hint]",
         kPrefetch, lower_prefetch<Mode::im2col>),
};

}  // namespace

std::span<const Form> async_tensor_forms() { return kForms; }

}  // namespace warpcheck::isa

// Bulk copies of consecutive bytes (PTX ISA 9.7.9.25.4). Copies to shared memory complete on an
// mbarrier object, copies to global memory in bulk groups.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/memory/bulk.hpp"
#include "device/virtual/machine/block/bulk_stores.hpp"
#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::isa {
namespace {

using bulk::check;
using bulk::Image;
using bulk::kFrom;
using bulk::kSize;
using bulk::kTo;
using bulk::kUnit;
using bulk::Part;
using bulk::Place;
using bulk::place_of;
using machine::BulkStore;
using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::Space;
using machine::Warp;

/// Completes a copy whose source does not exist. The size may exceed that of any destination.
void deliver_zeros(Warp& warp, const Op& op, unsigned lane, std::uint32_t size) {
  if (warp.block().faulted()) return;
  const bool fits = place_of(warp, op, kTo, Space::shared, lane).holds(size);
  const Image zeros(fits ? size : 0);
  std::vector<Part> parts;
  if (fits && size != 0) parts.push_back({0, size});
  bulk::deliver(warp, op, lane, zeros, parts, size, kUnit);
}

template <Space from_space>
Flow copy_to_shared(Warp& warp, const Op& op) {
  return bulk::for_each_lane(warp, op, [&](unsigned lane) {
    const Mask bit = Mask{1} << lane;
    const std::uint32_t size = bulk::size_of(warp, op, lane);
    const Place from = place_of(warp, op, kFrom, from_space, lane);
    if (warp.block().faulted()) return;
    if (!check(warp, op, bit, from, size, kUnit, false)) return deliver_zeros(warp, op, lane, size);
    bulk::observe_source(warp, op, from.container, from.offset(), size, bit);
    if (from_space == Space::global) bulk::count_transfer(warp, op, size);
    if (from_space == Space::shared) {
      machine::check_proxy_writes(warp, op, from.container, from.offset(), size, lane);
    }
    Image image(size);
    std::copy_n(from.container.bytes.data + from.offset(), size, image.data.begin());
    std::copy_n(from.container.bytes.shadow + from.offset(), size, image.shadow.begin());
    std::vector<Part> parts;
    if (size != 0) parts.push_back({0, size});
    bulk::deliver(warp, op, lane, image, parts, size, kUnit);
  });
}

BulkStore new_store(const Op& op, unsigned lane, const Place& from, std::uint32_t size) {
  BulkStore store;
  store.op = &op;
  store.lane = lane;
  store.sources.push_back({from.container, from.offset(), size});
  const auto* const data = from.container.bytes.data + from.offset();
  const auto* const shadow = from.container.bytes.shadow + from.offset();
  store.data.assign(data, data + size);
  store.shadow.assign(shadow, shadow + size);
  return store;
}

Flow copy_to_global(Warp& warp, const Op& op) {
  return bulk::for_each_lane(warp, op, [&](unsigned lane) {
    const Mask bit = Mask{1} << lane;
    const std::uint32_t size = bulk::size_of(warp, op, lane);
    if (warp.block().faulted()) return;
    const Place from = place_of(warp, op, kFrom, Space::shared, lane);
    const Place to = place_of(warp, op, kTo, Space::global, lane);
    if (!check(warp, op, bit, from, size, kUnit, false)) return;
    if (!check(warp, op, bit, to, size, kUnit, true) || size == 0) return;
    BulkStore store = new_store(op, lane, from, size);
    store.pieces.push_back({to.container, to.offset(), 0, size});
    if (!bulk::set_reduction(op, op.detail->reduced_type, store.reduction))
      return warp.block().stop();
    warp.block().bulk_stores().issue(warp, std::move(store));
  });
}

/// Fetches to the L2 cache, which has no effect on values. Checks that the range exists.
Flow prefetch(Warp& warp, const Op& op) {
  return bulk::for_each_lane(warp, op, [&](unsigned lane) {
    const std::uint32_t size = bulk::size_of(warp, op, lane);
    if (warp.block().faulted()) return;
    const Place from = place_of(warp, op, kFrom, Space::global, lane);
    static_cast<void>(check(warp, op, Mask{1} << lane, from, size, kUnit, false));
  });
}

Flow commit(Warp& warp, const Op&) {
  if (warp.block().digests()) {
    warp.block().digest().order(warp.index(), warp.active(), checks::Act::commit);
  }
  warp.block().bulk_stores().commit(warp.index(), warp.active());
  return Flow::next;
}

/// Executes a wait. The immediate is the number of groups that may stay in flight.
template <bool only_reads>
Flow wait(Warp& warp, const Op& op) {
  const auto pending = static_cast<std::uint32_t>(op.immediate);
  if (warp.block().digests()) {
    warp.block().digest().order(warp.index(), warp.active(), checks::Act::wait,
                                std::uint64_t{pending} << 1 | (only_reads ? 1 : 0));
  }
  warp.block().bulk_stores().wait(warp, op, warp.active(), pending, only_reads);
  return Flow::next;
}

/// `[to], [from], size, [mbarrier]{, mask}{, policy}`.
void lower_to_shared(Lowering& lowering) {
  const bool from_shared =
      lowering.selection.has("shared::cta") && !lowering.selection.has("global");
  lowering.expect_operands(4 + bulk::trailing_operands(lowering.selection));
  bulk::lower_address(lowering, 0, kTo, Space::shared);
  bulk::lower_address(lowering, 1, kFrom, from_shared ? Space::shared : Space::global);
  bulk::lower_address(lowering, 3, bulk::kObject, Space::shared);
  if (from_shared) bulk::read_shared(lowering);
  bulk::set_element(lowering, kSize, lowering.source(lowering.instruction.operands[2], Type::u32));
  bulk::lower_multicast(lowering, 4);
  lowering.result.run = from_shared ? copy_to_shared<Space::shared> : copy_to_shared<Space::global>;
}

/// `[to], [from], size{, policy}`.
void lower_to_global(Lowering& lowering) {
  lowering.expect_operands(3 + bulk::trailing_operands(lowering.selection));
  bulk::lower_address(lowering, 0, kTo, Space::global);
  bulk::lower_address(lowering, 1, kFrom, Space::shared);
  bulk::read_shared(lowering);
  bulk::set_element(lowering, kSize, lowering.source(lowering.instruction.operands[2], Type::u32));
  lowering.result.operand[bulk::kObject] = machine::kNoSlot;
  lowering.result.run = copy_to_global;
}

void lower_reduction(Lowering& lowering) {
  lower_to_global(lowering);
  bulk::lower_reduction(lowering, bulk::tensor_type(lowering.selection.type()));
}

void lower_reduction_to_shared(Lowering& lowering) {
  lower_to_shared(lowering);
  bulk::lower_reduction(lowering, bulk::type_in_shared(lowering.selection));
  lowering.function.code().uses_cluster = true;
}

/// `[from], size{, policy}`.
void lower_prefetch(Lowering& lowering) {
  lowering.expect_operands(2 + bulk::trailing_operands(lowering.selection));
  bulk::lower_address(lowering, 0, kFrom, Space::global);
  bulk::set_element(lowering, kSize, lowering.source(lowering.instruction.operands[1], Type::u32));
  lowering.result.operand[kTo] = lowering.result.operand[kFrom];
  lowering.result.operand[bulk::kObject] = machine::kNoSlot;
  lowering.result.run = prefetch;
}

void lower_commit(Lowering& lowering) {
  lowering.expect_operands(0);
  lowering.result.run = commit;
}

void lower_wait(Lowering& lowering) {
  lowering.expect_operands(1);
  const auto* groups = lowering.operand<ptx::Integer>(0);
  if (groups == nullptr) throw DecodeError("the number of groups is not a constant");
  lowering.result.immediate = static_cast<std::int64_t>(std::min<std::uint64_t>(groups->bits, ~0U));
  lowering.result.run = lowering.selection.has("read") ? wait<true> : wait<false>;
}

constexpr std::string_view kCopy = "9.7.9.25.4.1";
constexpr std::string_view kReduce = "9.7.9.25.4.2";

constexpr Form form(std::string_view modifiers, std::string_view types, std::string_view section,
                    Lower lower) {
  return {"cp", modifiers, types, "", section, nullptr, nullptr, lower};
}

#define WARPCHECK_REDUCE_SHARED \
  "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes "
#define WARPCHECK_REDUCE "reduce async bulk global shared::cta bulk_group [L2::cache_hint] "

constexpr std::array kForms = {
    form("async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes "
         "[multicast::cluster] [L2::cache_hint]",
         "", kCopy, lower_to_shared),
    form("async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes", "", kCopy,
         lower_to_shared),
    form("async bulk global shared::cta bulk_group [L2::cache_hint]", "", kCopy, lower_to_global),
    form("async bulk prefetch L2 global [L2::cache_hint]", "", "9.7.9.25.4.3", lower_prefetch),
    form(WARPCHECK_REDUCE "add", "u32 s32 u64 f32 f64", kReduce, lower_reduction),
    form(WARPCHECK_REDUCE "min|max", "u32 s32 u64 s64 f16 bf16", kReduce, lower_reduction),
    form(WARPCHECK_REDUCE "add noftz", "f16 bf16", kReduce, lower_reduction),
    form(WARPCHECK_REDUCE "inc|dec", "u32", kReduce, lower_reduction),
    form(WARPCHECK_REDUCE "and|or|xor", "b32 b64", kReduce, lower_reduction),
    form(WARPCHECK_REDUCE_SHARED "add", "u32 s32 u64", kReduce, lower_reduction_to_shared),
    form(WARPCHECK_REDUCE_SHARED "min|max", "u32 s32", kReduce, lower_reduction_to_shared),
    form(WARPCHECK_REDUCE_SHARED "inc|dec", "u32", kReduce, lower_reduction_to_shared),
    form(WARPCHECK_REDUCE_SHARED "and|or|xor", "b32", kReduce, lower_reduction_to_shared),
    form("async bulk commit_group", "", "9.7.9.25.6.1", lower_commit),
    form("async bulk wait_group [read]", "", "9.7.9.25.6.2", lower_wait),
};

}  // namespace

std::span<const Form> async_bulk_forms() { return kForms; }

}  // namespace warpcheck::isa

// mbarrier objects (PTX ISA 9.7.13.15): the rows of their instructions, mbarrier.init and
// mbarrier.inval.
#include "device/virtual/isa/sync/mbarrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "device/virtual/isa/sync/mbarrier_parts.hpp"
#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::isa {
namespace mbarriers {

void misuse(Warp& warp, const Op& op, Mask lane, std::string what) {
  static_cast<void>(
      warp.goes_on_after(op, lane, FindingClass::barrier_divergence, std::move(what)));
}

bool check_count(Warp& warp, const Op& op, Mask lane, std::uint32_t count) {
  if (count != 0 && count <= Mbarrier::kLargestCount) return true;
  misuse(warp, op, lane,
         fmt::format("a count of {} is given; an mbarrier object counts from 1 to {}", count,
                     Mbarrier::kLargestCount));
  return false;
}

void digest(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes) {
  if (!warp.block().digests()) return;
  const auto& parts = warp.frame().code->source->body[op.instruction].parts;
  std::uint64_t kind = 0;
  for (const std::string& part : parts) kind = kind * 31 + std::hash<std::string>{}(part);
  checks::AccessDigest& digest = warp.block().digest();
  digest.order(warp.index(), lanes, checks::Act::mbarrier, kind);
  checks::AccessDigest::Addresses addresses;
  machine::for_lanes(
      [&](unsigned lane) { addresses[lane] = resolved.container->base + resolved.at(lane); });
  if (op.operand[kValue] == machine::kNoSlot || op.bits[kValue] == 64) {
    digest.access(warp.index(), lanes, checks::Act::mbarrier, addresses, 8);
    return;
  }
  checks::AccessDigest::Contents values;
  const auto* const value = warp.lanes<std::byte>(op.operand[kValue]);
  machine::for_lanes([&](unsigned lane) { values[lane] = value + 4 * std::size_t{lane}; });
  digest.access(warp.index(), lanes, checks::Act::mbarrier, addresses, values, 4);
}

void observe_object(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
                    bool writes) {
  if (writes) warp.block().note_change();
  warp.count_poll();
  if (!warp.block().looks_for_races()) return;
  if (may_meet_async_copies(warp, resolved))
    observe_async_copies(warp, op, resolved, lanes, 8, writes);
  if (writes) {
    observe_shared_write(warp, op, resolved, lanes, 8, 0);
  } else {
    observe_shared_read(warp, op, resolved, lanes, 8);
  }
}

namespace {

machine::Space space_of(const Selection& s) {
  const bool shared = s.has("shared") || s.has("shared::cta") || s.has("shared::cluster");
  return shared ? machine::Space::shared : machine::Space::generic;
}

}  // namespace

void lower_address(Lowering& lowering, std::size_t operand) {
  const auto* address = lowering.operand<ptx::Address>(operand);
  if (address == nullptr) throw DecodeError("the [address] of an mbarrier object is expected");
  const Selection& s = lowering.selection;
  Op& op = lowering.result;
  lowering.address(*address, space_of(s));
  op.scope = machine::Scope::cluster;
  op.operand[kResult] = machine::kNoSlot;
  op.operand[kValue] = machine::kNoSlot;
  op.releases = !s.has("relaxed");
  op.acquires = !s.has("relaxed");
}

void expect_operands(const Lowering& lowering, std::size_t least, std::size_t most) {
  if (lowering.operand_count() < least || lowering.operand_count() > most) {
    throw DecodeError(fmt::format("{} operands are given, {} to {} expected",
                                  lowering.operand_count(), least, most));
  }
}

namespace {

/// Executes mbarrier.init, a weak write. Every use of the object must be ordered after it.
Flow init(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const ResolvedAccess& resolved) {
    const Mask lane = party.lanes & (~party.lanes + 1);
    const std::uint32_t count = warp.lanes<std::uint32_t>(op.operand[kValue])[lowest(lane)];
    if (!check_count(warp, op, lane, count) && warp.block().faulted()) return;
    Mbarrier& object = warp.block().mbarriers()[party.place.in_block()];
    object = Mbarrier{};
    object.expected = object.pending = std::clamp(count, 1U, Mbarrier::kLargestCount);
    keep_mbarrier(object, party.place);
    observe_write(warp, op, resolved, party.lanes, 8, 0);
  });
}

/// Executes mbarrier.inval, which counts as a strong access: in the destructor of cuda::pipeline,
/// no synchronisation orders the elected lane after the accesses of the others to the object.
Flow inval(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const ResolvedAccess& resolved) {
    if (mbarrier_at(warp, op, party.lanes, party.place) == nullptr) return;
    warp.block().mbarriers().erase(party.place.in_block());
    std::memset(party.place.container->bytes.shadow + party.place.offset, 0, 8);
    observe_object(warp, op, resolved, party.lanes, true);
  });
}

void lower_init(Lowering& lowering) {
  expect_operands(lowering, 2, 2);
  lower_address(lowering, 0);
  lowering.result.operand[kValue] = lowering.source(lowering.instruction.operands[1], Type::u32);
  lowering.result.run = init;
}

void lower_inval(Lowering& lowering) {
  expect_operands(lowering, 1, 1);
  lower_address(lowering, 0);
  lowering.result.strong = true;
  lowering.result.run = inval;
}

#define WARPCHECK_OWN "[shared|shared::cta]"
#define WARPCHECK_ANY "[shared|shared::cta|shared::cluster]"

constexpr std::array kForms = {
    Form{"mbarrier", "init " WARPCHECK_OWN, "b64", "", "9.7.13.15.9", nullptr, nullptr, lower_init},
    Form{"mbarrier", "inval " WARPCHECK_OWN, "b64", "", "9.7.13.15.10", nullptr, nullptr,
         lower_inval},
    Form{"mbarrier", "expect_tx|complete_tx [relaxed] [cta|cluster] " WARPCHECK_ANY, "b64", "",
         "9.7.13.15.11", nullptr, nullptr, lower_bytes},
    Form{"mbarrier", "arrive|arrive_drop [release|relaxed] [cta|cluster] " WARPCHECK_ANY, "b64", "",
         "9.7.13.15.13", nullptr, nullptr, lower_arrive},
    Form{"mbarrier", "arrive|arrive_drop expect_tx [release|relaxed] [cta|cluster] " WARPCHECK_ANY,
         "b64", "", "9.7.13.15.13", nullptr, nullptr, lower_arrive},
    Form{"mbarrier", "arrive|arrive_drop noComplete [release] [cta] " WARPCHECK_OWN, "b64", "",
         "9.7.13.15.13", nullptr, nullptr, lower_arrive},
    Form{"mbarrier", "test_wait|try_wait [parity] [acquire|relaxed] [cta|cluster] " WARPCHECK_OWN,
         "b64", "", "9.7.13.15.16", nullptr, nullptr, lower_wait},
    Form{"mbarrier", "pending_count", "b64", "=u32 b64", "9.7.13.15.17", bind_pending_count},
    Form{"cp", "async mbarrier arrive [noinc] " WARPCHECK_OWN, "b64", "", "9.7.13.15.15", nullptr,
         nullptr, lower_arrive_by_copies},
};

}  // namespace
}  // namespace mbarriers

using machine::Mask;
using machine::Mbarrier;
using machine::Op;
using machine::Warp;
using mbarriers::misuse;

Mbarrier* mbarrier_at(Warp& warp, const Op& op, Mask lane, const MbarrierPlace& place) {
  const auto& name = *place.container->name;
  const std::byte* shadow = place.container->bytes.shadow + place.offset;
  machine::Block* const owner = place.container->owner;
  machine::Mbarriers& objects = (owner != nullptr ? *owner : warp.block()).mbarriers();
  const auto found = objects.find(place.in_block());
  const bool defined =
      std::all_of(shadow, shadow + 8, [](std::byte known) { return known == std::byte{0xff}; });
  if (found == objects.end()) {
    static_cast<void>(warp.goes_on_after(
        op, lane, defined ? FindingClass::barrier_divergence : FindingClass::uninitialized_read,
        fmt::format("byte {} of {} begins no mbarrier object: mbarrier.init is expected first",
                    place.offset, name)));
    return nullptr;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, place.container->bytes.data + place.offset, sizeof word);
  if (word != found->second.word() || !defined) {
    misuse(warp, op, lane,
           fmt::format("the mbarrier object at byte {} of {} was overwritten", place.offset, name));
    return nullptr;
  }
  return &found->second;
}

void keep_mbarrier(const Mbarrier& object, const MbarrierPlace& place) {
  const std::uint64_t word = object.word();
  std::memcpy(place.container->bytes.data + place.offset, &word, sizeof word);
  std::memset(place.container->bytes.shadow + place.offset, 0xff, sizeof word);
}

bool add_bytes(Warp& warp, const Op& op, Mask lane, Mbarrier& object, std::int64_t bytes) {
  const std::int64_t largest = Mbarrier::kLargestCount;
  const std::int64_t sum = object.bytes + bytes;
  if (sum < -largest || sum > largest) {
    misuse(warp, op, lane,
           fmt::format("the object would wait for {} bytes; its range is -{} to {}", sum, largest,
                       largest));
    return false;
  }
  object.bytes = sum;
  return true;
}

std::span<const Form> mbarrier_forms() { return mbarriers::kForms; }

}  // namespace warpcheck::isa

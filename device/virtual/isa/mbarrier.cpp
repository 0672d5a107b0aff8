// mbarrier objects (PTX ISA 9.7.13.15): lanes act on them one after another, lowest first.
#include "device/virtual/isa/mbarrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/async_copies.hpp"
#include "device/virtual/machine/observe.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::lowest;
using machine::Mask;
using machine::Mbarrier;
using machine::MbarrierToken;
using machine::Op;
using machine::Reach;
using machine::Space;
using machine::Warp;

/// Operands of the ops below: 0 the address, 1 the result or kNoSlot, 2 a count, a number of bytes,
/// a token or a parity, or kNoSlot.
constexpr unsigned kResult = 1;
constexpr unsigned kValue = 2;

Flow misuse(Warp& warp, const Op& op, Mask lane, std::string what) {
  return warp.fault(op, lane, FindingClass::barrier_divergence, std::move(what));
}

bool check_count(Warp& warp, const Op& op, Mask lane, std::uint32_t count) {
  if (count != 0 && count <= Mbarrier::kLargestCount) return true;
  static_cast<void>(
      misuse(warp, op, lane,
             fmt::format("a count of {} is given; an mbarrier object counts from 1 to "
                         "{}",
                         count, Mbarrier::kLargestCount)));
  return false;
}

/// Lanes of the access that go to one object.
struct Party {
  Mask lanes;
  MbarrierPlace place;
};

/// The object's address, the instruction, and its count, bytes or parity; tokens are results of
/// others.
void digest(Warp& warp, const Op& op, const Reach& reach, Mask lanes) {
  if (!warp.block().digests()) return;
  const auto& parts = warp.frame().code->source->body[op.instruction].parts;
  std::uint64_t kind = 0;
  for (const std::string& part : parts) kind = kind * 31 + std::hash<std::string>{}(part);
  observers::AccessDigest& digest = warp.block().digest();
  digest.order(warp.index(), lanes, observers::Act::mbarrier, kind);
  observers::AccessDigest::Addresses addresses;
  machine::for_lanes(
      [&](unsigned lane) { addresses[lane] = reach.container->base + reach.at(lane); });
  if (op.operand[kValue] == machine::kNoSlot || op.bits[kValue] == 64) {
    digest.access(warp.index(), lanes, observers::Act::mbarrier, addresses, 8);
    return;
  }
  observers::AccessDigest::Contents values;
  const auto* const value = warp.lanes<std::byte>(op.operand[kValue]);
  machine::for_lanes([&](unsigned lane) { values[lane] = value + 4 * std::size_t{lane}; });
  digest.access(warp.index(), lanes, observers::Act::mbarrier, addresses, values, 4);
}

/// Calls act(party) for each object that the running lanes go to, until one of them faults.
template <class Act>
Flow for_objects(Warp& warp, const Op& op, Act act) {
  if (op.operand[kValue] != machine::kNoSlot) {
    if (const Mask unknown = warp.active() & ~warp.defined(op.operand[kValue])) {
      return warp.fault(op, unknown, FindingClass::uninitialized_read,
                        "an operand of the mbarrier instruction is undefined");
    }
  }
  return machine::access(warp, op, {8, true}, [&](const Reach& reach, Mask lanes) {
    if (reach.container->space != Space::shared) {
      static_cast<void>(misuse(warp, op, lanes, "the mbarrier object lies outside shared memory"));
      return;
    }
    digest(warp, op, reach, lanes);
    while (lanes != 0 && !warp.block().faulted()) {
      const std::uint64_t offset = reach.at(lowest(lanes));
      const Party party{lanes & reach.lanes_at(offset), {reach.container, offset}};
      lanes &= ~party.lanes;
      act(party, reach);
    }
  });
}

/// The race detector sees an arrival as an atomic update and a wait as a strong read, but no flag:
/// only a wait that succeeds tells anything, and only of phases that are over.
void observe_object(Warp& warp, const Op& op, const Reach& reach, Mask lanes, bool writes) {
  if (writes) warp.block().note_change();
  if (!warp.block().looks_for_races()) return;
  if (warp.block().in_flight().any()) observe_in_flight(warp, op, reach, lanes, 8, writes);
  if (writes) {
    observe_shared_write(warp, op, reach, lanes, 8, 0);
  } else {
    observe_shared_read(warp, op, reach, lanes, 8);
  }
}

/// mbarrier.init, a plain write: everybody else's use of the object must be ordered after it.
Flow init(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const Reach& reach) {
    const Mask lane = party.lanes & (~party.lanes + 1);
    const std::uint32_t count = warp.lanes<std::uint32_t>(op.operand[kValue])[lowest(lane)];
    if (!check_count(warp, op, lane, count)) return;
    Mbarrier& object = warp.block().mbarriers()[party.place.in_block()];
    object = Mbarrier{};
    object.expected = object.pending = count;
    keep_mbarrier(object, party.place);
    observe_write(warp, op, reach, party.lanes, 8, 0);
  });
}

/// mbarrier.inval counts as one more strong access, for the destructor of cuda::pipeline elects a
/// lane that nothing orders after what the others did to the object.
Flow inval(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const Reach& reach) {
    if (mbarrier_at(warp, op, party.lanes, party.place) == nullptr) return;
    warp.block().mbarriers().erase(party.place.in_block());
    std::memset(party.place.container->bytes.shadow + party.place.offset, 0, 8);
    observe_object(warp, op, reach, party.lanes, true);
  });
}

// Arrivals.

struct ArrivalKind {
  bool drops = false;
  bool expects_bytes = false;
  bool completes = true;
};

/// One lane arrives. False after a complaint.
template <ArrivalKind kind>
bool arrive_one(Warp& warp, const Op& op, Mask lane, Mbarrier& object, std::uint32_t value) {
  const std::uint32_t count = kind.expects_bytes ? 1 : value;
  if (kind.expects_bytes && !add_bytes(warp, op, lane, object, value)) return false;
  if (!check_count(warp, op, lane, count)) return false;
  if (count > object.pending) {
    static_cast<void>(misuse(warp, op, lane,
                             fmt::format("{} arrive{} where the phase waits for {} more", count,
                                         count == 1 ? "s" : "", object.pending)));
    return false;
  }
  object.pending -= count;
  if (kind.drops) object.expected -= count;
  if (!kind.completes && object.pending == 0 && object.bytes == 0) {
    static_cast<void>(
        misuse(warp, op, lane, "the arrival completes the phase, which .noComplete rules out"));
    return false;
  }
  return true;
}

/// The arriving lanes release what they did to those who will wait.
void publish(Warp& warp, const Op& op, const Reach& reach, Mask lanes, Mbarrier& object) {
  if (lanes == 0 || !warp.block().looks_for_races()) return;
  if (op.releases) {
    warp.block().races().clocks().publish(warp.index(), lanes, object.arrived);
  } else {
    object.relaxed = true;
    observe_flag(warp, op, reach, lanes, true, true);
  }
}

template <ArrivalKind kind>
Flow arrive(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const Reach& reach) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    Mask arrived = 0;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest(rest);
      const std::uint64_t token = object->token(party.place.in_block());
      const std::uint32_t value = op.operand[kValue] == machine::kNoSlot
                                      ? 1
                                      : warp.lanes<std::uint32_t>(op.operand[kValue])[lane];
      if (!arrive_one<kind>(warp, op, Mask{1} << lane, *object, value)) return;
      arrived |= Mask{1} << lane;
      if (object->pending == 0) publish(warp, op, reach, std::exchange(arrived, 0), *object);
      object->complete_if_due();
      if (op.operand[kResult] != machine::kNoSlot) {
        warp.lanes<std::uint64_t>(op.operand[kResult])[lane] = token;
        warp.set_defined(op.operand[kResult], Mask{1} << lane, machine::kAllLanes);
      }
    }
    publish(warp, op, reach, arrived, *object);
    keep_mbarrier(*object, party.place);
    observe_object(warp, op, reach, party.lanes, true);
  });
}

/// mbarrier.expect_tx and mbarrier.complete_tx.
template <int sign>
Flow change_bytes(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const Reach& reach) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const std::int64_t bytes = warp.lanes<std::uint32_t>(op.operand[kValue])[lowest(rest)];
      if (!add_bytes(warp, op, Mask{1} << lowest(rest), *object, sign * bytes)) return;
      object->complete_if_due();
    }
    keep_mbarrier(*object, party.place);
    observe_object(warp, op, reach, party.lanes, true);
  });
}

/// The copies that the lanes have under way arrive in their stead when they have landed, which the
/// machine lets them do at once; with .noinc that arrival is one of those that the object expects.
template <bool increments>
Flow arrive_by_copies(Warp& warp, const Op& op) {
  return for_objects(warp, op, [&](const Party& party, const Reach& reach) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const Mask lane = rest & (~rest + 1);
      if (increments && object->pending == Mbarrier::kLargestCount) {
        static_cast<void>(check_count(warp, op, lane, object->pending + 1));
        return;
      }
      object->attached.push_back(warp.block().async_copies().issued(warp.index(), lane));
      publish(warp, op, reach, lane, *object);
      if (increments) continue;
      if (!arrive_one<ArrivalKind{}>(warp, op, lane, *object, 1)) return;
      object->complete_if_due();
    }
    keep_mbarrier(*object, party.place);
    observe_object(warp, op, reach, party.lanes, true);
  });
}

// Waits.

/// Whether the phase of the lane's token has completed; nothing after a complaint.
std::optional<bool> is_over(Warp& warp, const Op& op, unsigned lane, const Mbarrier& object,
                            const MbarrierPlace& place) {
  const MbarrierToken token(warp.lanes<std::uint64_t>(op.operand[kValue])[lane]);
  const Mask bit = Mask{1} << lane;
  if (token.offset != place.in_block()) {
    static_cast<void>(misuse(warp, op, bit, "the token is not one of this mbarrier object"));
    return std::nullopt;
  }
  if (token.phase > object.phase || token.phase + 1 < object.phase) {
    static_cast<void>(misuse(
        warp, op, bit,
        fmt::format("the token is of phase {}; the object is in phase {} and tells of that and the "
                    "one before only",
                    token.phase, object.phase)));
    return std::nullopt;
  }
  return token.phase != object.phase;
}

/// For whoever asks why nothing moves.
void note_poll(Warp& warp, const Op& op, Mask lanes, const Mbarrier& object,
               const MbarrierPlace& place) {
  machine::Poll poll;
  poll.warp = warp.index();
  poll.lanes = lanes;
  poll.function = warp.frame().code;
  poll.op = &op;
  poll.offset = place.offset;
  poll.bytes = 8;
  poll.what =
      fmt::format("the mbarrier object at byte {} of {}", place.offset, *place.container->name);
  poll.stays = fmt::format("in phase {}, which misses {} arrivals", object.phase, object.pending);
  if (object.bytes != 0) poll.stays += fmt::format(" and {} bytes", object.bytes);
  warp.block().note_poll(std::move(poll));
}

/// Lanes that have waited: copies land, and what arrived before them is theirs to see.
void acquire(Warp& warp, const Op& op, const Reach& reach, Mask lanes, Mbarrier& object) {
  machine::Block& block = warp.block();
  for (const machine::IssuedCopies& copies : std::exchange(object.due, {})) {
    block.async_copies().land(warp, op, copies, object.landed);
  }
  if (!block.looks_for_races()) return;
  observers::BlockClocks& clocks = block.races().clocks();
  clocks.learn(warp.index(), lanes, object.completed);
  if (object.relaxed || !op.acquires) observe_flag(warp, op, reach, lanes, true, false);
  std::erase_if(object.landed, [&](observers::FlightId id) {
    observers::Flight* flight = block.in_flight().find(id);
    if (flight != nullptr) block.in_flight().witness(*flight, warp.index(), lanes, clocks);
    return flight == nullptr;
  });
}

template <bool by_parity>
Flow wait(Warp& warp, const Op& op) {
  const Mask active = warp.active();
  Mask over = 0;
  const Flow flow = for_objects(warp, op, [&](const Party& party, const Reach& reach) {
    Mbarrier* object = mbarrier_at(warp, op, party.lanes, party.place);
    if (object == nullptr) return;
    Mask here = 0;
    for (Mask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest(rest);
      std::optional<bool> done;
      if constexpr (by_parity) {
        done = (warp.lanes<std::uint32_t>(op.operand[kValue])[lane] & 1) != (object->phase & 1);
      } else {
        done = is_over(warp, op, lane, *object, party.place);
      }
      if (!done) return;
      here |= Mask{*done} << lane;
    }
    observe_object(warp, op, reach, party.lanes, false);
    if (warp.block().tracing()) note_poll(warp, op, party.lanes & ~here, *object, party.place);
    if (here != 0) acquire(warp, op, reach, here, *object);
    over |= here;
  });
  if (warp.block().faulted()) return flow;
  Mask& result = warp.predicate(op.operand[kResult]);
  result = (result & ~active) | (over & active);
  warp.set_defined(op.operand[kResult], active, machine::kAllLanes);
  return over == active ? flow : warp.yield();
}

/// Operand 0 is the result, operand 1 the token.
struct PendingCount {
  static std::uint32_t apply(std::uint64_t token) { return MbarrierToken(token).pending; }
};

// From text to ops.

Space space_of(const Selection& s) {
  const bool shared = s.has("shared") || s.has("shared::cta") || s.has("shared::cluster");
  return shared ? Space::shared : Space::generic;
}

void lower_address(Lowering& lowering, std::size_t operand) {
  const auto* address = lowering.operand<ptx::Address>(operand);
  if (address == nullptr) throw Unfit("the [address] of an mbarrier object is expected");
  const Selection& s = lowering.selection;
  Op& op = lowering.result;
  lowering.address(*address, space_of(s));
  op.scope = machine::Scope::block;
  op.operand[kResult] = machine::kNoSlot;
  op.operand[kValue] = machine::kNoSlot;
  op.releases = !s.has("relaxed");
  op.acquires = !s.has("relaxed");
}

void expect_operands(const Lowering& lowering, std::size_t least, std::size_t most) {
  if (lowering.operand_count() < least || lowering.operand_count() > most) {
    throw Unfit(fmt::format("{} operands are given, {} to {} expected", lowering.operand_count(),
                            least, most));
  }
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

/// `state, [addr]{, count}`, where the state may be `_`.
void lower_arrive(Lowering& lowering) {
  const Selection& s = lowering.selection;
  expect_operands(lowering, s.has("expect_tx") || s.has("noComplete") ? 3 : 2, 3);
  lower_address(lowering, 1);
  Op& op = lowering.result;
  op.strong = true;
  const ptx::Operand& state = lowering.instruction.operands[0];
  if (!std::holds_alternative<ptx::Sink>(state)) {
    op.operand[kResult] = lowering.destination(state, Type::b64);
  }
  if (lowering.operand_count() == 3) {
    op.operand[kValue] = lowering.source(lowering.instruction.operands[2], Type::u32);
  }
  const bool drops = s.has("arrive_drop");
  if (s.has("expect_tx")) {
    op.run = drops ? arrive<ArrivalKind{true, true, true}> : arrive<ArrivalKind{false, true, true}>;
  } else if (s.has("noComplete")) {
    op.run =
        drops ? arrive<ArrivalKind{true, false, false}> : arrive<ArrivalKind{false, false, false}>;
  } else {
    op.run = drops ? arrive<ArrivalKind{true, false, true}> : arrive<ArrivalKind{}>;
  }
}

void lower_bytes(Lowering& lowering) {
  expect_operands(lowering, 2, 2);
  lower_address(lowering, 0);
  lowering.result.strong = true;
  lowering.result.operand[kValue] = lowering.source(lowering.instruction.operands[1], Type::u32);
  lowering.result.run = lowering.selection.has("expect_tx") ? change_bytes<1> : change_bytes<-1>;
}

void lower_arrive_by_copies(Lowering& lowering) {
  expect_operands(lowering, 1, 1);
  lower_address(lowering, 0);
  lowering.result.strong = true;
  lowering.result.run =
      lowering.selection.has("noinc") ? arrive_by_copies<false> : arrive_by_copies<true>;
}

/// `done, [addr], state{, time}`: how long the hardware may suspend the thread is its own affair.
void lower_wait(Lowering& lowering) {
  const Selection& s = lowering.selection;
  expect_operands(lowering, 3, s.has("try_wait") ? 4 : 3);
  lower_address(lowering, 1);
  Op& op = lowering.result;
  op.strong = true;
  const auto& operands = lowering.instruction.operands;
  op.operand[kResult] = lowering.destination(operands[0], Type::pred);
  op.operand[kValue] = lowering.source(operands[2], s.has("parity") ? Type::u32 : Type::b64);
  op.bits[kValue] = s.has("parity") ? 32 : 64;
  op.run = s.has("parity") ? wait<true> : wait<false>;
}

Handler bind_pending_count(const Selection&) {
  return machine::rare_lanewise<PendingCount, std::uint32_t, std::uint64_t>;
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

Mbarrier* mbarrier_at(Warp& warp, const Op& op, Mask lane, const MbarrierPlace& place) {
  const auto& name = *place.container->name;
  const std::byte* shadow = place.container->bytes.shadow + place.offset;
  const auto found = warp.block().mbarriers().find(place.in_block());
  const bool defined =
      std::all_of(shadow, shadow + 8, [](std::byte known) { return known == std::byte{0xff}; });
  if (found == warp.block().mbarriers().end()) {
    static_cast<void>(warp.fault(
        op, lane, defined ? FindingClass::barrier_divergence : FindingClass::uninitialized_read,
        fmt::format("byte {} of {} begins no mbarrier object: mbarrier.init is expected first",
                    place.offset, name)));
    return nullptr;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, place.container->bytes.data + place.offset, sizeof word);
  if (word != found->second.word() || !defined) {
    static_cast<void>(misuse(
        warp, op, lane,
        fmt::format("the mbarrier object at byte {} of {} was overwritten", place.offset, name)));
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
  object.bytes += bytes;
  const std::int64_t largest = Mbarrier::kLargestCount;
  if (object.bytes >= -largest && object.bytes <= largest) return true;
  static_cast<void>(misuse(warp, op, lane,
                           fmt::format("the object is to await {} bytes; it counts from -{} to {}",
                                       object.bytes, largest, largest)));
  return false;
}

std::span<const Form> mbarrier_forms() { return kForms; }

}  // namespace warpcheck::isa

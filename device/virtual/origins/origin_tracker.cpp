#include "device/virtual/origins/origin_tracker.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "device/virtual/machine/block/fragment_loop.hpp"
#include "device/virtual/machine/core/shuffle.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::origins {
namespace {

using machine::FunctionCode;
using machine::kLanes;
using machine::kNoSlot;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::Warp;

constexpr std::size_t kMostRecords = std::size_t{1} << 18;
constexpr std::size_t kMostUses = std::size_t{1} << 16;
// Limit of the stored bytes that are followed, in the memory of all blocks and in that of one.
constexpr std::size_t kMostBytes = std::size_t{1} << 21;

enum class Kind { load, store, other_load, other };

using Parts = std::vector<std::string>;

bool has_part(const Parts& parts, std::string_view word) {
  return std::find(parts.begin(), parts.end(), word) != parts.end();
}

Kind kind_of(const Parts& parts) {
  if (parts.empty()) return Kind::other;
  const std::string& name = parts.front();
  if (name == "ld" || name == "ldu") return Kind::load;
  if (name == "st" && !has_part(parts, "async") && !has_part(parts, "bulk")) return Kind::store;
  const bool loads = name == "atom" || name == "ldmatrix" || name == "tex" || name == "call" ||
                     (name == "wmma" && has_part(parts, "load"));
  return loads ? Kind::other_load : Kind::other;
}

bool is_other_store(const Parts& parts) {
  if (parts.empty() || kind_of(parts) == Kind::store) return false;
  const std::string& name = parts.front();
  return name == "st" || name == "cp" || name == "atom" || name == "red" || name == "stmatrix" ||
         name == "multimem" || (name == "wmma" && has_part(parts, "store"));
}

/// Bytes of an element of a load or store: 4 for .f32.
std::size_t element_bytes(const Parts& parts) {
  const std::string& type = parts.back();
  const std::size_t digits = type.find_last_not_of("0123456789") + 1;
  return digits == type.size() ? 4 : std::stoul(type.substr(digits)) / 8;
}

using LaneOrigins = std::array<OriginId, kLanes>;

const Parts& parts_of(const FunctionCode& code, const Op& op) {
  static const Parts kNone;
  return op.instruction < code.source->body.size() ? code.source->body[op.instruction].parts
                                                   : kNone;
}

/// The values of a load or store: the members of a vector, or the single register.
std::vector<Slot> values_of(const Op& op) {
  if (!op.detail->elements.empty()) return op.detail->elements;
  return {op.operand[1]};
}

constexpr bool is_result(unsigned operand) {
  return operand == machine::kResult || operand == machine::kSecondResult;
}

std::vector<Slot> sources_of(const Op& op, Kind kind) {
  if (kind == Kind::store) return values_of(op);
  std::vector<Slot> slots;
  if (kind == Kind::load) return slots;
  for (unsigned i = 0; i < op.operand.size(); ++i) {
    const bool is_read = (op.read_registers >> i & 1) != 0;
    if (is_read || (op.bits[i] != 0 && !is_result(i))) slots.push_back(op.operand[i]);
  }
  if (kind == Kind::other) {
    slots.insert(slots.end(), op.detail->elements.begin(), op.detail->elements.end());
  }
  return slots;
}

std::vector<Slot> results_of(const Op& op, Kind kind) {
  if (kind == Kind::store) return {};
  if (kind == Kind::load) return values_of(op);
  std::vector<Slot> slots;
  for (unsigned i = 0; i < op.operand.size(); ++i) {
    const bool is_written = (op.written_registers >> i & 1) != 0;
    if (is_written || (op.bits[i] != 0 && is_result(i))) slots.push_back(op.operand[i]);
  }
  slots.insert(slots.end(), op.detail->elements.begin(), op.detail->elements.end());
  return slots;
}

std::optional<machine::Shuffle> shuffle_of(const Parts& parts) {
  using machine::Shuffle;
  if (parts.empty() || parts.front() != "shfl") return std::nullopt;
  return has_part(parts, "up")     ? Shuffle::up
         : has_part(parts, "down") ? Shuffle::down
         : has_part(parts, "bfly") ? Shuffle::bfly
                                   : Shuffle::idx;
}

/// Follows the undefined values of one block at a time. Values of called device functions have an
/// unknown origin.
class Observer final : public machine::BlockObserver {
 public:
  explicit Observer(Origins& origins) : origins_(origins), wrapped_(origins.wrapped()) {}
  void transfer(const Warp&, const Op&, std::uint64_t) override {}

  void before(Warp& warp, const Op& op, Mask) {
    start(warp);
    origins_.exits().note(warp, op);
    const FunctionCode& code = *warp.frame().code;
    wrapped_.before(warp, op, parts_of(code, op));
    kind_ = kind_of(parts_of(code, op));
    from_ = {};
    if (warp.active() == 0 && !op.guarded) return;
    if (op.guarded) find_source(warp, op, {op.guard}, machine::kAllLanes);
    if (const auto shuffle = shuffle_of(parts_of(code, op))) {
      return find_shuffled(warp, op, *shuffle);
    }
    const Mask unknown_address =
        kind_ == Kind::load || kind_ == Kind::store ? ~warp.defined(op.operand[0]) : 0;
    if (unknown_address != 0) find_source(warp, op, {op.operand[0]}, warp.active());
    find_source(warp, op, sources_of(op, kind_), warp.active());
    if (kind_ == Kind::store) store(warp, op, warp.active() & ~unknown_address);
    if (kind_ == Kind::load) load(warp, op, warp.active() & ~unknown_address);
  }

  void undefined_guard(const Warp& warp, const Op& op) {
    start(warp);
    from_ = {};
    find_source(warp, op, {op.guard}, warp.active());
  }

  void after(Warp& warp, const Op& op) {
    wrapped_.after(warp, op);
    if (!follows(warp)) return;
    const std::vector<Slot> results = results_of(op, kind_);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i] == kNoSlot) continue;
      const Mask undefined = warp.active() & ~warp.defined(results[i]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((warp.active() >> lane & 1) == 0) continue;
        OriginId& id = registers_[key_of(warp, results[i])][lane];
        if ((undefined >> lane & 1) == 0) {
          id = kNone;
        } else {
          id =
              kind_ == Kind::load ? loaded_[std::min<std::size_t>(i, 7)][lane] : computed(op, lane);
        }
      }
    }
  }

 private:
  [[nodiscard]] static bool follows(const Warp& warp) { return warp.frame().depth == 0; }

  [[nodiscard]] static std::uint64_t key_of(const Warp& warp, Slot slot) {
    return std::uint64_t{warp.index()} << 32 | slot.index;
  }

  /// Discards the registers and the memory of the previous block.
  void start(const Warp& warp) {
    if (block_ == warp.block().index()) return;
    block_ = warp.block().index();
    registers_.clear();
    wrapped_.start();
    own_.clear();
  }

  /// Sets from_ to the origins of the first undefined slots.
  void find_source(const Warp& warp, const Op& op, const std::vector<Slot>& slots, Mask lanes) {
    if (!follows(warp)) return;
    const std::uint32_t number = op.number;
    for (const Slot slot : slots) {
      if (slot == kNoSlot) continue;
      const auto known = registers_.find(key_of(warp, slot));
      if (known == registers_.end()) continue;
      const Mask undefined = lanes & ~warp.defined(slot);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((undefined >> lane & 1) == 0 || from_[lane] != kNone) continue;
        from_[lane] = known->second[lane];
        if (from_[lane] == kNone) continue;
        origins_.note_use(number, warp.block().place(warp.index(), lane), from_[lane]);
      }
    }
  }

  /// The same as find_source(), for a shuffle, whose lanes read the values of other lanes.
  void find_shuffled(const Warp& warp, const Op& op, machine::Shuffle mode) {
    const Slot b = op.operand[2];
    const Slot c = op.detail->elements.front();
    find_source(warp, op, {b, c, op.operand[3]}, warp.active());
    if (!follows(warp)) return;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((warp.active() >> lane & 1) == 0 || from_[lane] != kNone) continue;
      const unsigned from = machine::shuffle_source(mode, lane, warp.lanes<std::uint32_t>(b)[lane],
                                                    warp.lanes<std::uint32_t>(c)[lane])
                                .lane;
      const Mask members = warp.lanes<std::uint32_t>(op.operand[3])[lane];
      const auto absent = absence(warp, members, from);
      from_[lane] = absent ? origins_.add({op.number, {}, false, AbsentLane{from, *absent}})
                           : origin_in(warp, op.operand[1], from);
    }
  }

  /// The reason why a lane takes no part in an exchange; empty if it takes part.
  [[nodiscard]] static std::optional<AbsentLane::Reason> absence(const Warp& warp, Mask members,
                                                                 unsigned lane) {
    const auto has = [lane](Mask lanes) { return (lanes >> lane & 1) != 0; };
    if (!has(warp.started())) return AbsentLane::Reason::no_thread;
    if (!has(members)) return AbsentLane::Reason::not_in_mask;
    if (!has(warp.live())) return AbsentLane::Reason::exited;
    return std::nullopt;
  }

  /// The origin of an undefined result: the origin of a source, or else of another lane's source.
  [[nodiscard]] OriginId computed(const Op& op, unsigned lane) {
    if (from_[lane] != kNone) return from_[lane];
    const auto other =
        std::find_if(from_.begin(), from_.end(), [](OriginId id) { return id != kNone; });
    if (other != from_.end()) return *other;
    if (kind_ == Kind::other_load) return kUnknown;
    return origins_.add({op.number});
  }

  /// A byte of memory: in the memory of all blocks, or in that of this block and its threads.
  struct Byte {
    StoredBytes* bytes = nullptr;
    std::uint64_t at = 0;
  };
  Byte byte_at(const Warp& warp, unsigned lane, const machine::Container& container,
               std::uint64_t offset) {
    constexpr unsigned kThreadBits = 16;
    switch (container.space) {
      case machine::Space::shared:
        return {&own_, container.shared_begin + offset};
      case machine::Space::local:
        return {&own_,
                (std::uint64_t{1} << 63 | offset << kThreadBits) + warp.index() * kLanes + lane};
      default:
        return {&origins_.global(), container.base + offset};
    }
  }

  void store(Warp& warp, const Op& op, Mask lanes) {
    const std::size_t size = element_bytes(parts_of(*warp.frame().code, op));
    const std::vector<Slot> values = values_of(op);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      const std::uint64_t address = machine::address_of(warp, op, lane);
      const machine::Container container = machine::locate(warp, op, address);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const OriginId id = origin_in(warp, values[i], lane);
        for (std::size_t byte = 0; byte < size; ++byte) {
          const Byte place =
              byte_at(warp, lane, container, address - container.base + i * size + byte);
          const bool has_room = place.bytes->size() < kMostBytes;
          if (has_room || place.bytes->contains(place.at)) {
            (*place.bytes)[place.at] = id;
          } else {
            origins_.forget_stores();
          }
        }
      }
    }
  }

  [[nodiscard]] OriginId origin_in(const Warp& warp, Slot slot, unsigned lane) const {
    if (slot == kNoSlot || (warp.defined(slot) >> lane & 1) != 0) return kNone;
    const auto known = registers_.find(key_of(warp, slot));
    const OriginId id = known == registers_.end() ? kNone : known->second[lane];
    return id == kNone || !follows(warp) ? kUnknown : id;
  }

  /// Sets loaded_ to the origin that each value has if the load makes it undefined.
  void load(Warp& warp, const Op& op, Mask lanes) {
    if (!follows(warp)) return;
    const std::size_t size = element_bytes(parts_of(*warp.frame().code, op));
    const std::size_t count = std::min<std::size_t>(values_of(op).size(), loaded_.size());
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      const std::uint64_t address = machine::address_of(warp, op, lane);
      const machine::Container container = machine::locate(warp, op, address);
      if (container.name == nullptr) continue;
      for (std::size_t i = 0; i < count; ++i) {
        loaded_[i][lane] =
            loaded(warp, op, lane, container, address - container.base + i * size, size);
      }
    }
  }

  [[nodiscard]] OriginId loaded(const Warp& warp, const Op& op, unsigned lane,
                                const machine::Container& container, std::uint64_t offset,
                                std::size_t size) {
    bool written = origins_.has_other_stores();
    bool undefined = false;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t at = offset + i;
      const Byte byte = byte_at(warp, lane, container, at);
      const auto stored = byte.bytes->find(byte.at);
      written = written || stored != byte.bytes->end();
      if (stored != byte.bytes->end() && stored->second != kNone) return stored->second;
      if (at >= container.bytes.size) continue;
      const std::size_t place = at + lane * container.lane_stride;
      undefined = undefined || container.bytes.shadow[place] != std::byte{0xff};
    }
    if (!undefined) return kNone;
    MemoryPlace memory{machine::name_of(container), static_cast<std::ptrdiff_t>(offset), size,
                       false};
    return origins_.add({op.number, std::move(memory), written});
  }

  Origins& origins_;
  WrappedIndices wrapped_;
  Dim3 block_{~0U, ~0U, ~0U};
  std::unordered_map<std::uint64_t, LaneOrigins> registers_;
  StoredBytes own_;
  // The op that runs, with its sources and the values that it loads.
  Kind kind_ = Kind::other;
  LaneOrigins from_{};
  std::array<LaneOrigins, 8> loaded_{};  // indexed by member of a vector
};

constexpr machine::FragmentLoops kLoops = machine::loops_with<Observer>();

}  // namespace

Origins::Origins(const machine::Program& program) : program_(program) {
  records_.resize(kUnknown + 1);
  for (const FunctionCode& code : program.functions) {
    for (const ptx::Instruction& instruction : code.source->body) {
      has_other_stores_ = has_other_stores_ || is_other_store(instruction.parts);
    }
  }
}

OriginId Origins::add(Record record) {
  if (records_.size() >= kMostRecords) return kUnknown;
  records_.push_back(std::move(record));
  return static_cast<OriginId>(records_.size() - 1);
}

void Origins::note_use(std::uint32_t op, const ThreadPlace& thread, OriginId origin) {
  if (uses_.size() < kMostUses) uses_.try_emplace({op, key_of(thread)}, origin);
}

std::optional<Origin> Origins::of(const Finding& finding) const {
  if (!finding.thread) return std::nullopt;
  const std::string thread = key_of(*finding.thread);
  for (const auto& [use, id] : uses_) {
    if (use.second != thread || id == kUnknown) continue;
    if (program_.place(use.first).ptx_line != finding.source.ptx_line) continue;
    const Record& record = records_[id];
    return Origin{program_.place(record.op), record.memory, record.written, record.lane};
  }
  return std::nullopt;
}

std::optional<IndexOverflow> Origins::overflow_of(const Finding& finding) const {
  if (finding.kind == FindingClass::out_of_bounds && finding.memory) {
    return wrapped_.of(program_, finding.source, *finding.memory);
  }
  if (finding.origin && finding.origin->memory) {
    return wrapped_.of(program_, finding.origin->source, *finding.origin->memory);
  }
  return std::nullopt;
}

const machine::FragmentLoops& OriginTracker::loops() const { return kLoops; }

std::unique_ptr<machine::BlockObserver> OriginTracker::make_block_observer() const {
  return std::make_unique<Observer>(*origins_);
}

void OriginTracker::add_evidence(std::vector<Finding>& findings) const {
  for (Finding& finding : findings) {
    const bool uses_undefined = finding.kind == FindingClass::uninitialized_read ||
                                finding.kind == FindingClass::invalid_call;
    if (uses_undefined) finding.origin = origins_->of(finding);
    finding.overflow = origins_->overflow_of(finding);
    origins_->exits().set_places(program_, finding);
  }
}

}  // namespace warpcheck::origins

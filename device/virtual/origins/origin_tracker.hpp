// The origins of undefined values, the overflows of indices, and the branches of threads that exit,
// as an observer of the machine. It follows each undefined value from the instruction that produced
// or loaded it, through registers and memory, to its use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/virtual/machine/block/observer.hpp"
#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/origins/exits.hpp"
#include "device/virtual/origins/wrapped_indices.hpp"

namespace warpcheck::origins {

/// Number of an origin. `none`: the value is defined. `unknown`: it is undefined for a reason that
/// the tracker does not follow.
using OriginId = std::uint32_t;
inline constexpr OriginId kNone = 0;
inline constexpr OriginId kUnknown = 1;

/// Bytes of memory that instructions stored to, each with the origin of the value.
using StoredBytes = std::unordered_map<std::uint64_t, OriginId>;

/// All origins so far, and the origins of the values that instructions used.
class Origins {
 public:
  explicit Origins(const machine::Program& program);

  /// An origin at an op: a load of `memory`, or a shuffle that reads from an absent lane. If both
  /// fields are empty, it is a register without a value.
  struct Record {
    std::uint32_t op = 0;
    std::optional<MemoryPlace> memory = {};
    bool written = false;
    std::optional<AbsentLane> lane = {};
  };
  [[nodiscard]] OriginId add(Record record);
  /// Records the origin of an undefined value; only the first one that a thread used at an op
  /// counts.
  void note_use(std::uint32_t op, const ThreadPlace& thread, OriginId origin);
  [[nodiscard]] std::optional<Origin> of(const Finding& finding) const;
  /// The overflow of the address of an access out of bounds, or of the load that is the finding's
  /// origin.
  [[nodiscard]] std::optional<IndexOverflow> overflow_of(const Finding& finding) const;

  /// True if the tracker does not follow some stores: stores by instructions other than `st`, or
  /// too many.
  [[nodiscard]] bool has_other_stores() const { return has_other_stores_; }
  void forget_stores() { has_other_stores_ = true; }
  [[nodiscard]] StoredBytes& global() { return global_; }
  [[nodiscard]] Exits& exits() { return exits_; }
  [[nodiscard]] WrappedAccesses& wrapped() { return wrapped_; }

 private:
  const machine::Program& program_;
  bool has_other_stores_ = false;
  std::vector<Record> records_;
  // Maps an op and a thread to the first use.
  std::map<std::pair<std::uint32_t, std::string>, OriginId> uses_;
  StoredBytes global_;
  Exits exits_;
  WrappedAccesses wrapped_;
};

/// Observes several launches of one program, one after another, on one host thread.
class OriginTracker final : public machine::LaunchObserver {
 public:
  /// With `exact_indices`, the accesses are those that the program would make if no index
  /// overflowed.
  explicit OriginTracker(const machine::Program& program, bool exact_indices = false)
      : program_(program), origins_(std::make_unique<Origins>(program)) {
    origins_->wrapped().correct = exact_indices;
  }

  [[nodiscard]] const machine::FragmentLoops& loops() const override;
  [[nodiscard]] std::unique_ptr<machine::BlockObserver> make_block_observer() const override;
  void add(const machine::BlockObserver&) override {}

  /// Sets the origin of each uninitialized read, the overflow of each address, and the places of
  /// threads that exited before a barrier, if they are known.
  void add_evidence(std::vector<Finding>& findings) const;
  /// One index overflow for each access that has one.
  [[nodiscard]] std::vector<IndexOverflow> overflows() const {
    return origins_->wrapped().all(program_);
  }

 private:
  const machine::Program& program_;
  std::unique_ptr<Origins> origins_;
};

}  // namespace warpcheck::origins

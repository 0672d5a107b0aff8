// Counts and coverage of the launches of a job, as an observer of the machine.
#pragma once

#include <memory>
#include <optional>

#include "device/virtual/counters/counters.hpp"
#include "device/virtual/counters/coverage.hpp"
#include "device/virtual/machine/block/observer.hpp"

namespace warpcheck::counters {

/// Observes several launches of one program, one after another.
class LaunchObserver final : public machine::LaunchObserver {
 public:
  /// `count` or `cover` must be true.
  LaunchObserver(const machine::Program& program, bool count, bool cover);

  [[nodiscard]] const machine::FragmentLoops& loops() const override;
  [[nodiscard]] std::unique_ptr<machine::BlockObserver> make_block_observer() const override;
  void add(const machine::BlockObserver& observer) override;

  /// The sums of all launches so far; empty if no block was executed.
  [[nodiscard]] std::vector<device::InstructionCounts> counts() const;
  [[nodiscard]] device::Coverage coverage() const;

 private:
  const machine::Program& program_;
  std::optional<Counters> counters_;
  bool cover_;
  Counts counts_;
  Covered covered_;
};

}  // namespace warpcheck::counters

// Detection of hangs. In a round, each lane that is ready executes an instruction (Warp::run).
// Assume that all registers and places recur after some rounds, and that memory has not changed in
// between. Then each ready lane has returned to its own state without the others: it repeats the
// same instructions for ever, in any order of the lanes, unless another lane changes memory. None
// does.
#pragma once

#include <cstdint>
#include <optional>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

struct FunctionCode;

/// Detects a recurring state: it compares each state with a saved one, which it replaces after 1,
/// 2, 4 ... rounds (Brent 1980). It detects a state that recurs every p rounds within about 6 p
/// rounds. It computes a sample of each state, and the fingerprint only if the sample recurs.
class Repetition {
 public:
  /// Must be called after each round of turns. `changes` is the number of changes of memory so far;
  /// `sample()` returns a hash of a part of the state, `state()` a fingerprint of all warps. Both
  /// are called only if memory has not changed.
  template <class Sample, class State>
  [[nodiscard]] bool seen_again(std::uint64_t changes, Sample sample, State state) {
    if (changes != changes_) {
      changes_ = changes;
      restart();
      return false;
    }
    const std::uint64_t now = sample();
    if (sample_ == now) {
      const std::uint64_t all = state();
      if (state_ == all) return true;
      if (!state_) state_ = all;
    }
    if (++rounds_ >= limit_) {
      sample_ = now;
      state_.reset();
      rounds_ = 0;
      limit_ *= 2;
    }
    return false;
  }

  void restart() {
    sample_.reset();
    state_.reset();
    rounds_ = 0;
    limit_ = 1;
  }

  /// A number of rounds within which every repeating warp has repeated itself.
  [[nodiscard]] std::uint64_t period() const { return limit_; }

 private:
  std::uint64_t changes_ = 0;
  std::optional<std::uint64_t> sample_;
  std::optional<std::uint64_t> state_;  // state at a round with this sample
  std::uint64_t rounds_ = 0;
  std::uint64_t limit_ = 1;
};

/// The last access of lanes to one place, recorded while their block is traced.
struct Poll {
  unsigned warp = 0;
  Mask lanes = 0;
  const FunctionCode* function = nullptr;
  const Op* op = nullptr;
  const Op* call = nullptr;  // call of the function; null in the kernel
  WaitEvent event;
  bool in_buffer = false;  // the memory of the event is a buffer of the job
};

}  // namespace warpcheck::machine

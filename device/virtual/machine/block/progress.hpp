// Whether what runs gets anywhere. A warp is deterministic: when its registers and places recur and
// nobody has changed memory in between, it does the same for ever, unless somebody else changes
// memory. When that is so of everything that runs, nothing will.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

struct FunctionCode;

/// Sees a state recur, by comparing with a saved one that is replaced after 1, 2, 4 ... rounds
/// (Brent 1980), so that a state that recurs every p rounds is seen within about 3 p.
class Repetition {
 public:
  /// After a round of turns. `changes` counts the changes of memory so far; `state()` is a
  /// fingerprint of all else that runs, taken only where memory stayed the same.
  template <class State>
  [[nodiscard]] bool seen_again(std::uint64_t changes, State state) {
    if (changes != changes_) {
      changes_ = changes;
      restart();
      return false;
    }
    const std::uint64_t now = state();
    if (saved_ == now) return true;
    if (++rounds_ >= limit_) {
      saved_ = now;
      rounds_ = 0;
      limit_ *= 2;
    }
    return false;
  }

  void restart() {
    saved_.reset();
    rounds_ = 0;
    limit_ = 1;
  }

  /// Rounds within which everything that repeats itself has done so.
  [[nodiscard]] std::uint64_t period() const { return limit_; }

 private:
  std::uint64_t changes_ = 0;
  std::optional<std::uint64_t> saved_;
  std::uint64_t rounds_ = 0;
  std::uint64_t limit_ = 1;
};

/// What lanes that spin looked at last, seen while a repetition is looked into.
struct Poll {
  unsigned warp = 0;
  Mask lanes = 0;
  const FunctionCode* function = nullptr;
  const Op* op = nullptr;
  std::string what;    // "element 3 of workspace"
  std::string stays;   // what was found there: "0"
  std::string buffer;  // its name, and the place in it
  std::uint64_t offset = 0;
  unsigned bytes = 0;
};

}  // namespace warpcheck::machine

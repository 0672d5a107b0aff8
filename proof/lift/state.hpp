// The state of one thread at a point of the kernel.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "proof/poly/value.hpp"

namespace warpcheck::proof {

struct State {
  std::vector<Formula> path = {};  // conditions under which the thread is here
  std::set<Formula> given = {};    // those that follow from the others, which no solver shows
  std::map<unsigned, Value> registers = {};  // a register that is absent can have any value

  [[nodiscard]] bool is_unreachable() const;
  /// Adds a condition, a conjunction by its parts.
  void assume(const Terms& terms, Formula condition);
  /// Adds a condition that follows from the path.
  void assume_given(const Terms& terms, Formula condition);
  /// The path without the conditions that are given.
  [[nodiscard]] std::vector<Formula> decisive_path() const;

  template <class Kind>
  [[nodiscard]] const Kind* value(unsigned reg) const {
    const auto found = registers.find(reg);
    return found == registers.end() ? nullptr : std::get_if<Kind>(&found->second);
  }
};

}  // namespace warpcheck::proof

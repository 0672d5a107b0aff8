// Requirements of a gate's policy, or of options of `check`, besides that variants have no
// findings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::report {

enum class RequirementState : std::uint8_t { met, unmet, undecided };

struct Requirement {
  std::string kind;     // "sensitivity", "known-failure" ...: the words of the JSON Lines
  std::string name;     // the same in every run: "hgemm: sensitivity on virtual"
  std::string variant;  // empty: it concerns none
  RequirementState state = RequirementState::met;
  std::string reason;       // reason, with the name of the variant; empty: it is met
  Location where = {};      // place in the policy, or file concerned; empty: the variant's source
  bool is_verdict = false;  // the variant's own verdict already shows the state
};

struct Requirements {
  std::string policy;  // file; empty: the requirements are options of the command
  std::vector<Requirement> all;

  /// Requirements that are not met or not decided, without those that a verdict already shows.
  [[nodiscard]] std::vector<const Requirement*> open() const {
    std::vector<const Requirement*> some;
    for (const Requirement& one : all) {
      if (one.state != RequirementState::met && !one.is_verdict) some.push_back(&one);
    }
    return some;
  }
};

}  // namespace warpcheck::report

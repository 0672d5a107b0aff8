// Grades of conflicts that depend on the code of the accesses.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "device/finding.hpp"
#include "device/virtual/checks/shadow.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::checks {

class ConflictGrades {
 public:
  /// The grade of the conflict. A conflict that is a failure by the order of its accesses becomes a
  /// note if their code permits it.
  [[nodiscard]] Grade of(const machine::Program& program, const Conflict& conflict);

 private:
  /// True if the value that one thread reads has no effect in it.
  [[nodiscard]] bool is_unused(const machine::Program& program, const Conflict& conflict);

  // Grades of conflicts, by the ops of both accesses.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Grade> failures_;
  std::map<std::pair<std::uint32_t, unsigned>, bool> unused_;  // keyed by op and thread
};

}  // namespace warpcheck::checks

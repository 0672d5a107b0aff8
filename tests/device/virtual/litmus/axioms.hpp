// The executions of a litmus test that the PTX memory model allows: enumerated from the definitions
// and the axioms of the PTX ISA, 8.7 to 8.10, independently of the virtual device. Lustig,
// Sahasrabuddhe and Giroux (ASPLOS 2019) define the same in Alloy.
#pragma once

#include <map>

#include "tests/device/virtual/litmus/program.hpp"

namespace warpcheck::litmus {

/// The allowed executions with one outcome.
struct Executions {
  bool any_races = false;
  // Some race if a fence.sc synchronises as fence.acq_rel does, by a flag alone, and if a reduction
  // observes nothing.
  bool any_races_without_sc = false;
  // Those that some interleaving of the threads explains, each instruction after the other.
  bool any_interleaved = false;
  bool any_interleaved_races = false;
  bool all_interleaved_race = true;
};

/// By outcome. Outcomes that are missing are forbidden.
[[nodiscard]] std::map<Outcome, Executions> allowed_executions(const Program& program,
                                                               const Placement& placement);

}  // namespace warpcheck::litmus

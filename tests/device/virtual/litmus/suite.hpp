// The litmus tests: families of programs that differ in the strength and scope of some accesses.
#pragma once

#include <string>
#include <vector>

#include "tests/device/virtual/litmus/program.hpp"

namespace warpcheck::litmus {

struct PlacedProgram {
  std::string family;
  Program program;
  Placement placement;
};

[[nodiscard]] std::vector<PlacedProgram> all_programs();

/// A program with scopes, fences of every kind, accesses of 1 to 8 bytes, named barriers, clusters
/// and bulk copies, in a random placement.
[[nodiscard]] PlacedProgram random_program(unsigned seed);

}  // namespace warpcheck::litmus

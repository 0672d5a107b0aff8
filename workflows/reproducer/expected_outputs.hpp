// The correct values of a case, with their tolerances and their places in memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/scalar_type.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::workflows::reproducer {

struct ExpectedElement {
  std::string name;        // "C[3, 4]"
  std::size_t byte = 0;    // index in the contents of the buffer: see Placement::index_of()
  double value = 0.0;      // NaN requires NaN, and an infinity the same one
  double tolerance = 0.0;  // absolute; infinity: any number is correct
  bool may_be_nan = false;
  bool may_be_infinity = false;
  bool may_be_minus_infinity = false;
};

struct ExpectedOutput {
  std::size_t buffer = 0;  // index of the buffer in the job
  ScalarType type = ScalarType::f32;
  std::vector<ExpectedElement> elements;
};

[[nodiscard]] std::vector<ExpectedOutput> expected_outputs(const campaign::run::Problem& problem);

}  // namespace warpcheck::workflows::reproducer

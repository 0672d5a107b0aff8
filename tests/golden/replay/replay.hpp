// Compares the results of a device with a record.
#pragma once

#include <cstddef>
#include <string>

#include "tests/golden/results/results.hpp"

namespace warpcheck::golden {

struct Comparison {
  std::string difference;      // differences with operands and both results; empty if none
  std::size_t values = 0;      // number of compared values
  std::size_t equal_bits = 0;  // number of them with equal bits
};

/// Compares results with a record bit for bit; approximate forms within the bounds of
/// tolerance.hpp.
[[nodiscard]] Comparison compare(const Form& form, const Record& recorded, const Results& results);

}  // namespace warpcheck::golden

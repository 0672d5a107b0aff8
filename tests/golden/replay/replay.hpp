// A recorded form, run again on another device.
#pragma once

#include <cstddef>
#include <string>

#include "tests/golden/results/results.hpp"

namespace warpcheck::golden {

struct Comparison {
  std::string difference;      // what differs, operands and both results; empty: nothing
  std::size_t values = 0;      // compared one by one
  std::size_t equal_bits = 0;  // of these
};

/// Results against a record: bit for bit, except for approximate forms, which must agree as
/// tolerance.hpp says.
[[nodiscard]] Comparison compare(const Form& form, const Record& recorded, const Results& results);

}  // namespace warpcheck::golden

// Result of a comparison of two variants, with the labels that the user gave them.
#pragma once

#include <optional>
#include <string>

#include "workflows/diff/difference.hpp"
#include "workflows/diff/speed.hpp"

namespace warpcheck::report {

struct Difference {
  std::string before;  // "HEAD~1:mine.cu"
  std::string after;
  workflows::diff::DifferenceReport report;
  std::optional<workflows::diff::Speed> speed;
};

}  // namespace warpcheck::report

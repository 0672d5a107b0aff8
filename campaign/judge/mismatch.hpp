// The elements that show a wrong result best.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/judge/region.hpp"
#include "campaign/judge/worst_elements.hpp"

namespace warpcheck::campaign::judge {

/// The first wrong element, and the worst ones.
struct Mismatch {
  std::int64_t row = 0;
  std::int64_t column = 0;
  double got = 0.0;
  double expected = 0.0;
  double tolerance = 0.0;                // absolute; 0: equality was demanded
  std::int64_t wrong = 0;                // wrong elements, this one included
  std::int64_t elements = 0;             // elements of D
  Regions regions = kAnyRegion;          // that the wrong elements of their product can fill
  std::vector<WrongElement> worst = {};  // the worst first; empty in histories of old
};

}  // namespace warpcheck::campaign::judge

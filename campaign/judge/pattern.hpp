// Recognition of the pattern of wrong elements in a matrix.
#pragma once

#include <cstdint>
#include <span>

#include "campaign/judge/diagnosis.hpp"

namespace warpcheck::campaign::judge {

struct Place {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// Returns the pattern of the wrong elements of a `rows` x `columns` matrix. `wrong` is in
/// row-major order and not empty.
[[nodiscard]] Pattern pattern_of(std::span<const Place> wrong, std::int64_t rows,
                                 std::int64_t columns);

}  // namespace warpcheck::campaign::judge

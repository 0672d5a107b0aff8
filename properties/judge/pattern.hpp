// Where the wrong elements of a matrix lie.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace warpcheck::properties::judge {

struct Place {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// "every element is wrong", "only C[3, 5] is wrong", "the wrong elements lie in column 64, the
/// last",
/// "... in columns 64 to 66, beyond the last multiple of 64", "... in the 16 x 16 tile at C[16,
/// 32]", "... where the column modulo 4 is 3", "... in rows 56 to 63, the last whole tile of 8".
/// Empty where they lie in none of these ways. `wrong` is in row-major order and not empty.
[[nodiscard]] std::string describe_pattern(std::span<const Place> wrong, std::int64_t rows,
                                           std::int64_t columns);

}  // namespace warpcheck::properties::judge

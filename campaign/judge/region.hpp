// The region of the wrong elements of D, relative to the tiles of the kernel.
#pragma once

#include <cstdint>

#include "campaign/judge/error_map.hpp"

namespace warpcheck::campaign::judge {

/// A set of regions. A small matrix does not distinguish between some regions: in a matrix of one
/// row, the last row is every row.
using Regions = unsigned;

inline constexpr Regions kEveryElement = 1;
inline constexpr Regions kLastRows = 2;     // rows of the last tile; in every column
inline constexpr Regions kLastColumns = 4;  // columns of the last tile; in every row
inline constexpr Regions kLastCorner = 8;   // the last rows of the last columns
inline constexpr Regions kOtherRegion = 16;
inline constexpr Regions kAnyRegion = 31;

/// The smallest rectangle that contains the wrong elements.
struct WrongBox {
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;
  std::int64_t first_column = 0;
  std::int64_t last_column = 0;
  std::int64_t wrong = 0;  // elements

  void add(std::int64_t row, std::int64_t column);
};

/// Returns the regions that the wrong elements of a `rows` x `columns` matrix can fill. Scattered
/// elements, which do not fill their rectangle, and a single one can belong to any region, because
/// a value can be right by chance. If the tile is not known, it has 128 rows and columns.
[[nodiscard]] Regions regions_of(const WrongBox& box, std::int64_t rows, std::int64_t columns,
                                 const Tile& tile);

}  // namespace warpcheck::campaign::judge

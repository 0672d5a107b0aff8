#include "campaign/judge/region.hpp"

#include <algorithm>

namespace warpcheck::campaign::judge {
namespace {

constexpr std::int64_t kUnknownTile = 128;

/// The wrong rows, or columns, of a matrix.
struct Span {
  std::int64_t first;
  std::int64_t last;
  std::int64_t extent;
  std::int64_t tile;

  [[nodiscard]] bool is_all() const { return first == 0 && last == extent - 1; }
  [[nodiscard]] bool is_last_tile() const {
    return last == extent - 1 && first >= last / tile * tile;
  }
  [[nodiscard]] bool is_one_tile() const { return extent <= tile; }
};

}  // namespace

void WrongBox::add(std::int64_t row, std::int64_t column) {
  if (wrong++ == 0) {
    first_row = last_row = row;
    first_column = last_column = column;
    return;
  }
  first_row = std::min(first_row, row);
  last_row = std::max(last_row, row);
  first_column = std::min(first_column, column);
  last_column = std::max(last_column, column);
}

Regions regions_of(const WrongBox& box, std::int64_t rows, std::int64_t columns, const Tile& tile) {
  const Span down{box.first_row, box.last_row, rows, tile.rows > 0 ? tile.rows : kUnknownTile};
  const Span across{box.first_column, box.last_column, columns,
                    tile.columns > 0 ? tile.columns : kUnknownTile};
  const std::int64_t area = (down.last - down.first + 1) * (across.last - across.first + 1);
  const bool scattered = box.wrong < area || (box.wrong == 1 && rows * columns > 1);
  if (scattered) return kAnyRegion;
  Regions regions = 0;
  if (down.is_all() && across.is_all()) regions |= kEveryElement;
  if (down.is_last_tile() && across.is_all()) regions |= kLastRows;
  if (down.is_all() && across.is_last_tile()) regions |= kLastColumns;
  if (down.is_last_tile() && across.is_last_tile()) regions |= kLastCorner;
  if (regions == 0 || (down.is_one_tile() && across.is_one_tile())) regions |= kOtherRegion;
  return regions;
}

}  // namespace warpcheck::campaign::judge

#include "campaign/judge/error_map.hpp"

#include <algorithm>
#include <cstddef>

namespace warpcheck::campaign::judge {
namespace {

/// The least that keeps the cells few enough and does not cut tiles otherwise than evenly.
std::int64_t cell_extent(std::int64_t extent, std::int64_t tile) {
  std::int64_t cell =
      std::max<std::int64_t>(1, (extent + ErrorMap::kMostCells - 1) / ErrorMap::kMostCells);
  if (tile > 0) {
    while (tile % cell != 0 && cell % tile != 0) ++cell;
  }
  return cell;
}

}  // namespace

ErrorMap empty_map(std::int64_t rows, std::int64_t columns, const Tile& tile) {
  ErrorMap map;
  map.rows = rows;
  map.columns = columns;
  map.tile = tile;
  map.cell_rows = cell_extent(rows, tile.rows);
  map.cell_columns = cell_extent(columns, tile.columns);
  map.cells.resize(static_cast<std::size_t>(map.cells_down() * map.cells_across()));
  map.wrong_by_row.resize(static_cast<std::size_t>(tile.rows));
  map.wrong_by_column.resize(static_cast<std::size_t>(tile.columns));
  return map;
}

void add_element(ErrorMap& map, std::int64_t row, std::int64_t column, double error, bool wrong) {
  const std::int64_t cell = row / map.cell_rows * map.cells_across() + column / map.cell_columns;
  ErrorCell& here = map.cells[static_cast<std::size_t>(cell)];
  here.largest = std::max(here.largest, error);
  if (!wrong) return;
  ++here.wrong;
  ++map.wrong;
  if (map.tile.rows > 0) ++map.wrong_by_row[static_cast<std::size_t>(row % map.tile.rows)];
  if (map.tile.columns > 0) {
    ++map.wrong_by_column[static_cast<std::size_t>(column % map.tile.columns)];
  }
}

double ComparedElement::error() const {
  const double error = error_over_bound(got, expected, tolerance);
  return !is_right || error <= 1.0 ? error : 0.0;
}

ErrorMap full_map(std::int64_t rows, std::int64_t columns, const Tile& tile,
                  const std::function<ComparedElement(std::int64_t, std::int64_t)>& element) {
  ErrorMap map = empty_map(rows, columns, tile);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const ComparedElement compared = element(row, column);
      add_element(map, row, column, compared.error(), !compared.is_right);
    }
  }
  return map;
}

}  // namespace warpcheck::campaign::judge

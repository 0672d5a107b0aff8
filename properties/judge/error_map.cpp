#include "properties/judge/error_map.hpp"

#include <algorithm>
#include <cstddef>

#include "properties/case/domain.hpp"
#include "properties/judge/judge.hpp"

namespace warpcheck::properties::judge {
namespace {

using contract::Contract;
using contract::LaunchStep;

constexpr std::int64_t kLargestTile = 1024;

/// Blocks of a launch; 0 where the grid has no value.
std::int64_t blocks(const Contract& contract, const LaunchStep& step, const Case& problem) {
  std::int64_t product = 1;
  for (const contract::Expression& axis : step.grid) {
    product *= axis.evaluate(bindings(contract, problem)).value_or(0);
  }
  return product;
}

/// How far an extent may grow before the grid does, over and over; 0 where the grid never grows, or
/// not by such steps.
std::int64_t step_of_growth(const Contract& contract, const LaunchStep& step, Case problem,
                            std::int64_t Case::*extent) {
  const auto blocks_at = [&](std::int64_t size) {
    problem.*extent = size;
    return blocks(contract, step, problem);
  };
  const std::int64_t one = blocks_at(1);
  std::int64_t size = 1;
  while (size <= kLargestTile && blocks_at(size + 1) <= one) ++size;
  if (size > kLargestTile) return 0;
  for (const std::int64_t times : {2, 3, 5, 8, 13}) {
    if (blocks_at(times * size) != times * one) return 0;
    if (blocks_at(times * size + 1) <= times * one) return 0;
  }
  return size;
}

/// Threads of a block along an axis; 0 where there is but one.
std::int64_t threads(const Contract& contract, const LaunchStep& step, const Case& problem,
                     std::size_t axis) {
  const std::int64_t count = step.block[axis].evaluate(bindings(contract, problem)).value_or(0);
  return count > 1 && count <= kLargestTile ? count : 0;
}

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

Tile output_tile(const Contract& contract, const Case& problem) {
  if (contract.tensors != nullptr) return {};
  for (const LaunchStep& step : contract.launches) {
    if (!applies(contract, step, problem)) continue;
    Tile tile{step_of_growth(contract, step, problem, &Case::m),
              step_of_growth(contract, step, problem, &Case::n)};
    if (tile == Tile{}) continue;
    if (tile.rows == 0) tile.rows = threads(contract, step, problem, 1);
    if (tile.columns == 0) tile.columns = threads(contract, step, problem, 0);
    return tile;
  }
  return {};
}

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

}  // namespace warpcheck::properties::judge

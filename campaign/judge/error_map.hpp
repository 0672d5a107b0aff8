// A map of the errors of D, coarse enough to be displayed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/judge/diagnosis.hpp"
#include "campaign/judge/worst_elements.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::judge {

/// The elements of D that one block computes; 0: not known from the contract.
struct Tile {
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  friend bool operator==(const Tile&, const Tile&) = default;
};

/// Returns the rows and columns of a step of the first launch whose grid grows in equal steps with
/// the extent of the rows or of the columns of an output: "D". A block of a product of matrices
/// iterates over an extent with which the grid does not grow so: then the tile has its threads
/// along y as rows, along x as columns. The other fields are those of the case.
[[nodiscard]] Tile output_tile(const contract::Contract& contract, const Case& problem,
                               std::string_view output);

/// Elements of D that lie together.
struct ErrorCell {
  double largest = 0.0;  // |error| / bound; infinite where equality was demanded and does not hold
  std::int64_t wrong = 0;

  friend bool operator==(const ErrorCell&, const ErrorCell&) = default;
};

/// The errors of one product: the first wrong one of the batch.
struct ErrorMap {
  static constexpr std::int64_t kMostCells = 96;  // most cells along either axis

  std::string line;          // line of the case
  std::string output = "D";  // name of the output
  std::int64_t product = 0;  // number of the product in the batch
  std::int64_t rows = 0;     // elements
  std::int64_t columns = 0;
  std::int64_t cell_rows = 1;  // elements; a cell lies in one tile, or is made of whole ones
  std::int64_t cell_columns = 1;
  // Rows of one matrix of a tensor that has three or more dimensions; the rows of all its matrices
  // are numbered consecutively.
  std::int64_t matrix_rows = 0;
  std::vector<ErrorCell> cells;  // row-major, cells_down() x cells_across()
  Tile tile;
  // Wrong elements by the row modulo tile.rows; empty: the tile is unknown.
  std::vector<std::int64_t> wrong_by_row;
  std::vector<std::int64_t> wrong_by_column;  // the same for columns
  std::int64_t wrong = 0;
  Diagnosis diagnosis;                   // pattern of the wrong elements of this product
  std::vector<WrongElement> worst = {};  // the worst first

  [[nodiscard]] std::int64_t cells_down() const { return (rows + cell_rows - 1) / cell_rows; }
  [[nodiscard]] std::int64_t cells_across() const {
    return (columns + cell_columns - 1) / cell_columns;
  }

  friend bool operator==(const ErrorMap&, const ErrorMap&) = default;
};

/// A map without errors.
[[nodiscard]] ErrorMap empty_map(std::int64_t rows, std::int64_t columns, const Tile& tile);

/// An element of an output, and its reference.
struct ComparedElement {
  double got = 0.0;
  double expected = 0.0;
  double tolerance = 0.0;  // absolute
  bool is_right = true;

  /// |error| / tolerance; 0 for an overflow that the bound allows: it is no measure of the error.
  [[nodiscard]] double error() const;
};

/// The map of all elements of one product.
[[nodiscard]] ErrorMap full_map(
    std::int64_t rows, std::int64_t columns, const Tile& tile,
    const std::function<ComparedElement(std::int64_t row, std::int64_t column)>& element);

/// Counts an element in. `error` is its |error| / bound.
void add_element(ErrorMap& map, std::int64_t row, std::int64_t column, double error, bool wrong);

}  // namespace warpcheck::campaign::judge

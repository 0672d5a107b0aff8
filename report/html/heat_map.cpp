#include "report/html/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "report/finding/diagnosis_text.hpp"
#include "report/html/bars.hpp"
#include "report/html/markup.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

using campaign::judge::ErrorMap;

constexpr double kSide = 440.0;   // length of the longer axis, in units of the picture
constexpr double kWidest = 26.0;  // largest side of a cell
constexpr double kAxis = 34.0;    // room for the numbers of rows and columns
constexpr double kNumber = 32.0;  // smallest distance between two numbers
constexpr double kLast = 18.0;    // room for the end of the last number
constexpr double kLine = 7.0;     // smallest distance between two lines of the grid

/// An axis of the map in the picture.
struct Axis {
  std::int64_t extent = 0;  // elements
  std::int64_t cell = 1;    // elements
  std::int64_t tile = 0;    // elements
  double size = 0.0;        // side of a cell

  [[nodiscard]] double cells() const {
    const std::int64_t count = (extent + cell - 1) / cell;
    return static_cast<double>(count);
  }
  [[nodiscard]] double length() const { return cells() * size; }
  [[nodiscard]] double at(std::int64_t element) const {
    return static_cast<double>(element) / static_cast<double>(cell) * size;
  }
  /// Elements from one mark to the next, such that marks are at least `least` apart; a multiple of
  /// the tile if there is one.
  [[nodiscard]] std::int64_t step(double least) const {
    const std::int64_t unit = tile > 1 ? tile : cell;
    std::int64_t step = unit;
    while (at(step) < least) step += unit;
    return step;
  }
};

/// Cells are square unless one axis would become too thin.
void scale(Axis& down, Axis& across) {
  const auto fit = [](const Axis& axis) { return std::min(kWidest, kSide / axis.cells()); };
  const double least = std::min(fit(down), fit(across));
  down.size = std::min(fit(down), 3.0 * least);
  across.size = std::min(fit(across), 3.0 * least);
}

/// The cells of one level as strokes along the rows; adjacent cells form one stroke.
std::string strokes(const ErrorMap& map, std::size_t level) {
  std::string path;
  for (std::int64_t row = 0; row < map.cells_down(); ++row) {
    for (std::int64_t column = 0; column < map.cells_across();) {
      const auto is_level = [&](std::int64_t at) {
        const auto cell = static_cast<std::size_t>(row * map.cells_across() + at);
        return at < map.cells_across() && level_of(map.cells[cell]) == level;
      };
      std::int64_t end = column;
      while (is_level(end)) ++end;
      if (end > column) path += fmt::format("M{} {}h{}", column, row, end - column);
      column = std::max(end, column + 1);
    }
  }
  return path;
}

std::string cells_svg(const ErrorMap& map, const Axis& down, const Axis& across) {
  std::string text =
      fmt::format("<g transform=\"scale({:.4g} {:.4g}) translate(0 .5)\">", across.size, down.size);
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    const std::string path = strokes(map, level);
    if (!path.empty()) text += fmt::format(R"(<path class="l{}" d="{}"/>)", level, path);
  }
  return text + "</g>";
}

/// Lines at multiples of the tile, or of several tiles if there are too many.
std::string grid_svg(const Axis& down, const Axis& across) {
  std::string path;
  if (down.tile > 1) {
    for (std::int64_t row = 0; row < down.extent; row += down.step(kLine)) {
      path += fmt::format("M0 {:.4g}h{:.4g}", down.at(row), across.length());
    }
  }
  if (across.tile > 1) {
    for (std::int64_t column = 0; column < across.extent; column += across.step(kLine)) {
      path += fmt::format("M{:.4g} 0v{:.4g}", across.at(column), down.length());
    }
  }
  return fmt::format(R"(<path class="grid" d="{}"/><rect class="frame" width="{:.4g}" )"
                     R"(height="{:.4g}"/>)",
                     path, across.length(), down.length());
}

std::string axis_numbers(const Axis& down, const Axis& across) {
  std::string text;
  for (std::int64_t row = 0; row < down.extent; row += down.step(24.0)) {
    text += fmt::format(R"(<text x="-5" y="{:.4g}" class="end">{}</text>)", down.at(row) + 9, row);
  }
  for (std::int64_t column = 0; column < across.extent; column += across.step(kNumber)) {
    text += fmt::format(R"(<text x="{:.4g}" y="-6">{}</text>)", across.at(column), column);
  }
  return text;
}

std::string tile_text(const ErrorMap& map) {
  if (map.tile.rows == 0 || map.tile.columns == 0) return "";
  return fmt::format(" Lines: tiles of {} x {}, each computed by one block.", map.tile.rows,
                     map.tile.columns);
}

std::string map_caption(const ErrorMap& map) {
  std::string text = fmt::format("{} of {} elements of {} are wrong.", grouped(map.wrong),
                                 grouped(map.rows * map.columns), map.output);
  if (map.product != 0) text += fmt::format(" Product {} of the batch.", map.product);
  text += tile_text(map);
  if (map.matrix_rows != 0) {
    text += fmt::format(" Lines: matrices of {} rows, numbered consecutively.", map.matrix_rows);
  }
  if (map.cell_rows > 1 || map.cell_columns > 1) {
    text += fmt::format(" A cell is {} x {} elements and has the colour of its largest error.",
                        map.cell_rows, map.cell_columns);
  }
  return text;
}

std::string map_legend(const ErrorMap& map) {
  std::array<bool, kLevels.size()> met{};
  for (const campaign::judge::ErrorCell& cell : map.cells) met[level_of(cell)] = true;
  std::string items;
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    if (!met[level]) continue;
    items += fmt::format(R"(<li><svg width="12" height="12" aria-hidden="true"><rect )"
                         R"(class="f{}" width="12" height="12"/></svg>{}</li>)",
                         level, kLevels[level]);
  }
  return fmt::format(R"(<ul class="legend">{}</ul>)", items);
}

std::string residues(const std::vector<std::int64_t>& wrong, std::string_view line) {
  if (wrong.size() < 2) return "";
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    bars.push_back({fmt::format("{}", i), wrong[i], true});
  }
  return bar_chart(fmt::format("Wrong elements by {} modulo {}", line, wrong.size()),
                   "wrong element", bars);
}

}  // namespace

std::size_t level_of(const campaign::judge::ErrorCell& cell) {
  if (cell.wrong == 0) return cell.largest > 0.0 ? 1 : 0;
  if (cell.largest <= 10.0) return 2;
  if (cell.largest <= 1000.0) return 3;
  return cell.largest <= std::numeric_limits<double>::max() ? 4 : 5;
}

std::string heat_map(const ErrorMap& map) {
  const std::int64_t part = map.matrix_rows != 0 ? map.matrix_rows : map.tile.rows;
  Axis down{map.rows, map.cell_rows, part};
  Axis across{map.columns, map.cell_columns, map.tile.columns};
  scale(down, across);
  const std::string label =
      fmt::format("Map of the errors of {}, {} rows by {} columns: {} {}", map.output, map.rows,
                  map.columns, map_caption(map),
                  map.diagnosis.empty() ? "" : "Diagnosis: " + diagnosis_text(map.diagnosis) + ".");
  return fmt::format(
      R"(<figure class="map"><svg role="img" aria-label="{}" width="{:.0f}" viewBox="{} {} {:.4g} )"
      R"({:.4g}">{}{}{}</svg><figcaption>{}</figcaption>{}</figure><div class="residues">{}{}</div>)",
      escaped(label), across.length() + kAxis + kLast, -kAxis, -18, across.length() + kAxis + kLast,
      down.length() + 20, cells_svg(map, down, across), grid_svg(down, across),
      axis_numbers(down, across), escaped(map_caption(map)), map_legend(map),
      residues(map.wrong_by_column, "column"), residues(map.wrong_by_row, "row"));
}

}  // namespace warpcheck::report::html

#include "workflows/history/json/json_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/text/visible_text.hpp"
#include "workflows/history/json/json_diagnosis.hpp"

namespace warpcheck::workflows::history {
namespace {

using Json = nlohmann::ordered_json;

/// Returns true if the cells and residues of the map fit its extents.
bool is_consistent(const campaign::judge::ErrorMap& map) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;  // elements along an axis
  const auto sound = [](std::int64_t extent) { return extent > 0 && extent <= kMost; };
  const bool extents =
      sound(map.rows) && sound(map.columns) && sound(map.cell_rows) && sound(map.cell_columns);
  return extents && map.cells_down() <= campaign::judge::ErrorMap::kMostCells &&
         map.cells_across() <= campaign::judge::ErrorMap::kMostCells &&
         std::ssize(map.cells) == map.cells_down() * map.cells_across() &&
         std::ssize(map.wrong_by_row) == map.tile.rows &&
         std::ssize(map.wrong_by_column) == map.tile.columns;
}

}  // namespace

Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value));
}

double number_of(const Json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

Json worst_json(const std::vector<campaign::judge::WrongElement>& worst) {
  Json elements = Json::array();
  for (const campaign::judge::WrongElement& element : worst) {
    elements.push_back({{"row", element.row},
                        {"column", element.column},
                        {"got", json_number(element.got)},
                        {"expected", json_number(element.expected)},
                        {"tolerance", json_number(element.tolerance)},
                        {"name", element.name}});
  }
  return elements;
}

std::vector<campaign::judge::WrongElement> worst_of(const Json& value) {
  std::vector<campaign::judge::WrongElement> worst;
  if (!value.contains("worst")) return worst;
  for (const Json& element : value.at("worst")) {
    worst.push_back({element.at("row"), element.at("column"), number_of(element.at("got")),
                     number_of(element.at("expected")), number_of(element.at("tolerance")),
                     visible(element.at("name").get<std::string>())});
  }
  return worst;
}

Json map_json(const campaign::judge::ErrorMap& map) {
  Json largest = Json::array();
  Json wrong = Json::array();
  for (const campaign::judge::ErrorCell& cell : map.cells) {
    largest.push_back(json_number(cell.largest));
    wrong.push_back(cell.wrong);
  }
  return {{"case", map.line},
          {"product", map.product},
          {"extents", {map.rows, map.columns}},
          {"cell", {map.cell_rows, map.cell_columns}},
          {"output", map.output},
          {"matrix rows", map.matrix_rows},
          {"largest", std::move(largest)},
          {"wrong", std::move(wrong)},
          {"tile", {map.tile.rows, map.tile.columns}},
          {"wrong by row", map.wrong_by_row},
          {"wrong by column", map.wrong_by_column},
          {"all wrong", map.wrong},
          {"worst", worst_json(map.worst)},
          {"diagnosis", diagnosis_json(map.diagnosis)}};
}

campaign::judge::ErrorMap error_map_of(const Json& value) {
  campaign::judge::ErrorMap map;
  map.line = value.at("case");
  map.product = value.at("product");
  map.rows = value.at("extents").at(0);
  map.columns = value.at("extents").at(1);
  map.cell_rows = value.at("cell").at(0);
  map.output = value.value("output", map.output);
  map.matrix_rows = value.value("matrix rows", map.matrix_rows);
  map.cell_columns = value.at("cell").at(1);
  map.tile = {value.at("tile").at(0), value.at("tile").at(1)};
  map.wrong_by_row = value.at("wrong by row").get<std::vector<std::int64_t>>();
  map.wrong_by_column = value.at("wrong by column").get<std::vector<std::int64_t>>();
  map.wrong = value.at("all wrong");
  map.worst = worst_of(value);
  map.diagnosis = value.contains("pattern") ? diagnosis_of(value.at("pattern"))  // retired spelling
                                            : diagnosis_of(value.at("diagnosis"));
  const Json& largest = value.at("largest");
  const Json& wrong = value.at("wrong");
  for (std::size_t i = 0; i < largest.size(); ++i) {
    map.cells.push_back({number_of(largest.at(i)), wrong.at(i)});
  }
  if (!is_consistent(map)) {
    throw std::runtime_error("found a map of errors whose parts do not fit together");
  }
  return map;
}

}  // namespace warpcheck::workflows::history

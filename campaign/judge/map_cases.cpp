#include "campaign/judge/map_cases.hpp"

#include <algorithm>
#include <cstdint>

#include "campaign/judge/error_map.hpp"
#include "campaign/judge/tile_model.hpp"

namespace warpcheck::campaign::judge {
namespace {

constexpr std::int64_t kLeast = 16;  // elements that show a pattern
constexpr std::int64_t kSmall = 32;  // a tile for which two fit on the map

struct Direction {
  std::string name;  // name of the extent; empty: its size is fixed
  std::int64_t size;
  std::int64_t tile;

  [[nodiscard]] bool too_small() const { return !name.empty() && size <= tile; }
  [[nodiscard]] std::int64_t whole() const { return tile <= kSmall ? 2 * tile : tile; }
  [[nodiscard]] std::int64_t beyond() const { return whole() + tile / 2 + 1; }
};

}  // namespace

std::vector<Case> cases_to_map(const contract::Contract& contract, const Case& failing,
                               std::string_view output) {
  const TileModel& model = model_of<TileModel>(contract);
  const TileModel::Extents extents = model.extents(contract, output);
  const Tile tile = output_tile(contract, failing, output);
  const auto span = [&](const std::string& name, std::int64_t size) {
    return Direction{name, name.empty() ? 0 : model.size(failing, name), std::max(size, kLeast)};
  };
  const Direction down = span(extents.rows, tile.rows);
  const Direction across = span(extents.columns, tile.columns);
  std::vector<Case> cases;
  const auto add = [&](std::int64_t rows, std::int64_t columns) {
    Case larger = model.with_tight_strides(contract, failing);
    if (!down.name.empty()) larger = model.resized(larger, down.name, rows);
    if (!across.name.empty()) larger = model.resized(larger, across.name, columns);
    if (model.is_affordable(contract, larger)) cases.push_back(std::move(larger));
  };
  if (down.too_small() || across.too_small()) {
    add(down.beyond(), across.beyond());
    add(down.too_small() ? down.beyond() : down.size,
        across.too_small() ? across.beyond() : across.size);
    add(down.whole(), across.whole());
  }
  cases.push_back(failing);
  return cases;
}

}  // namespace warpcheck::campaign::judge

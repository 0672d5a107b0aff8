#include "campaign/judge/map_cases.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "campaign/case/domain.hpp"
#include "campaign/judge/error_map.hpp"
#include "campaign/judge/output_extents.hpp"

namespace warpcheck::campaign::judge {
namespace {

constexpr std::int64_t kLeast = 16;          // elements that show a pattern
constexpr std::int64_t kSmall = 32;          // a tile for which two fit on the map
constexpr std::int64_t kMostWork = 1 << 24;  // multiply-adds of a case that is run for the map

struct Direction {
  std::optional<CaseField> extent;  // empty: its size is fixed
  std::int64_t size;
  std::int64_t tile;

  [[nodiscard]] bool too_small() const { return extent && size <= tile; }
  [[nodiscard]] std::int64_t whole() const { return tile <= kSmall ? 2 * tile : tile; }
  [[nodiscard]] std::int64_t beyond() const { return whole() + tile / 2 + 1; }
};

}  // namespace

std::vector<Case> cases_to_map(const contract::Contract& contract, const Case& failing,
                               std::string_view output) {
  const CaseSchema schema = case_schema(contract);
  const OutputExtents extents = output_extents(schema, output);
  const Tile tile = output_tile(contract, failing, output);
  const auto span = [&](const std::optional<CaseField>& extent, std::int64_t size) {
    return Direction{extent, extent ? extent->get(failing) : 0, std::max(size, kLeast)};
  };
  const Direction down = span(extents.rows, tile.rows);
  const Direction across = span(extents.columns, tile.columns);
  std::vector<Case> cases;
  const auto add = [&](std::int64_t rows, std::int64_t columns) {
    Case larger = failing;
    for (const CaseField& field : schema.fields) {
      if (field.is_stride()) field.set(larger, 0);
    }
    if (down.extent) down.extent->set(larger, rows);
    if (across.extent) across.extent->set(larger, columns);
    const auto work = schema.work.evaluate(bindings(contract, larger));
    if (work && *work <= kMostWork) cases.push_back(std::move(larger));
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

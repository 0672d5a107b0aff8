#include "properties/judge/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warpcheck::properties::judge {
namespace {

constexpr std::array<std::int64_t, 6> kTiles = {8, 16, 32, 64, 128, 256};

/// The wrong elements along one axis.
struct Axis {
  std::string_view line;  // "row" or "column"
  std::int64_t extent;
  std::int64_t first;
  std::int64_t last;

  [[nodiscard]] bool single() const { return first == last && extent > 1; }

  /// The largest tile such that `first` starts the matrix's last, partial tile; 0 if none.
  [[nodiscard]] std::int64_t partial_tile() const {
    std::int64_t found = 0;
    for (const std::int64_t tile : kTiles) {
      const bool partial = extent > tile && extent % tile != 0;
      if (partial && first == extent / tile * tile) found = tile;
    }
    return found;
  }

  /// The tile such that `first` starts the matrix's last one, which is whole; 0 if none.
  [[nodiscard]] std::int64_t last_whole_tile() const {
    const std::int64_t tile = extent - first;
    const bool whole = first != 0 && extent % tile == 0;
    return whole && std::find(kTiles.begin(), kTiles.end(), tile) != kTiles.end() ? tile : 0;
  }
};

std::string describe(const Axis& axis) {
  if (axis.single()) {
    return fmt::format("the wrong elements lie in {} {}{}", axis.line, axis.first,
                       axis.last == axis.extent - 1 ? ", the last" : "");
  }
  if (const std::int64_t tile = axis.partial_tile(); tile != 0) {
    return fmt::format("the wrong elements lie in {}s {} to {}, beyond the last multiple of {}",
                       axis.line, axis.first, axis.last, tile);
  }
  return "";
}

/// "the wrong elements lie where the column modulo 4 is 3": the largest modulus up to 32.
std::string describe_residue(std::string_view line, std::span<const Place> wrong,
                             std::int64_t Place::*index) {
  constexpr std::size_t kEnough = 8;  // fewer agree by chance
  if (wrong.size() < kEnough) return "";
  for (std::int64_t modulus = 32; modulus >= 2; modulus /= 2) {
    const std::int64_t residue = wrong.front().*index % modulus;
    if (std::all_of(wrong.begin(), wrong.end(),
                    [&](const Place& p) { return p.*index % modulus == residue; })) {
      return fmt::format("the wrong elements lie where the {} modulo {} is {}", line, modulus,
                         residue);
    }
  }
  return "";
}

}  // namespace

std::string describe_pattern(std::span<const Place> wrong, std::int64_t rows,
                             std::int64_t columns) {
  const auto count = static_cast<std::int64_t>(wrong.size());
  if (count == rows * columns) return count == 1 ? "" : "every element is wrong";
  if (count == 1) {
    return fmt::format("only C[{}, {}] is wrong", wrong[0].row, wrong[0].column);
  }
  Axis across{"row", rows, wrong.front().row, wrong.back().row};
  Axis along{"column", columns, columns, 0};
  for (const Place& place : wrong) {
    along.first = std::min(along.first, place.column);
    along.last = std::max(along.last, place.column);
  }
  for (const Axis& axis : {across, along}) {
    if (axis.single()) return describe(axis);
  }
  for (const Axis& axis : {across, along}) {
    if (std::string text = describe(axis); !text.empty()) return text;
  }
  if (std::string text = describe_residue("column", wrong, &Place::column); !text.empty()) {
    return text;
  }
  if (std::string text = describe_residue("row", wrong, &Place::row); !text.empty()) return text;
  for (const std::int64_t tile : kTiles) {
    const bool inside =
        across.first / tile == across.last / tile && along.first / tile == along.last / tile;
    if (inside && (rows > tile || columns > tile)) {
      return fmt::format("the wrong elements lie in the {0} x {0} tile at C[{1}, {2}]", tile,
                         across.first / tile * tile, along.first / tile * tile);
    }
  }
  for (const Axis& axis : {across, along}) {
    if (const std::int64_t tile = axis.last_whole_tile(); tile != 0) {
      return fmt::format("the wrong elements lie in {}s {} to {}, the last whole tile of {}",
                         axis.line, axis.first, axis.last, tile);
    }
  }
  return "";
}

}  // namespace warpcheck::properties::judge

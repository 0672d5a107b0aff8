#include "campaign/judge/pattern.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace warpcheck::campaign::judge {
namespace {

constexpr std::array<std::int64_t, 6> kTiles = {8, 16, 32, 64, 128, 256};

/// The range of rows or columns that contains the wrong elements.
struct Range {
  Axis axis;
  std::int64_t extent;  // size of the matrix along the axis
  std::int64_t first;
  std::int64_t last;

  [[nodiscard]] bool single() const { return first == last && extent > 1; }

  /// Returns the largest tile size such that `first` starts the matrix's last, partial tile; 0 if
  /// there is none.
  [[nodiscard]] std::int64_t partial_tile() const {
    std::int64_t found = 0;
    for (const std::int64_t tile : kTiles) {
      const bool partial = extent > tile && extent % tile != 0;
      if (partial && first == extent / tile * tile) found = tile;
    }
    return found;
  }

  /// Returns the tile size such that `first` starts the matrix's last tile and this tile is whole;
  /// 0 if there is none.
  [[nodiscard]] std::int64_t whole_tile() const {
    const std::int64_t tile = extent - first;
    const bool whole = first != 0 && extent % tile == 0;
    return whole && std::find(kTiles.begin(), kTiles.end(), tile) != kTiles.end() ? tile : 0;
  }

  [[nodiscard]] Pattern pattern(PatternKind kind, std::int64_t size) const {
    Pattern pattern{kind, axis, first, last};
    pattern.at_end = kind == PatternKind::one_line && last == extent - 1;
    pattern.size = size;
    return pattern;
  }
};

/// Returns the largest modulus up to 32 for which all wrong elements have one remainder.
std::optional<Pattern> residue(Axis axis, std::span<const Place> wrong,
                               std::int64_t Place::*index) {
  constexpr std::size_t kEnough = 8;  // fewer elements agree by chance
  if (wrong.size() < kEnough) return std::nullopt;
  for (std::int64_t modulus = 32; modulus >= 2; modulus /= 2) {
    const std::int64_t remainder = wrong.front().*index % modulus;
    if (std::all_of(wrong.begin(), wrong.end(),
                    [&](const Place& p) { return p.*index % modulus == remainder; })) {
      Pattern pattern{PatternKind::residue, axis, remainder, remainder};
      pattern.size = modulus;
      return pattern;
    }
  }
  return std::nullopt;
}

Pattern at(PatternKind kind, std::int64_t row, std::int64_t column, std::int64_t size) {
  Pattern pattern;
  pattern.kind = kind;
  pattern.size = size;
  pattern.row = row;
  pattern.column = column;
  return pattern;
}

}  // namespace

Pattern pattern_of(std::span<const Place> wrong, std::int64_t rows, std::int64_t columns) {
  const auto count = static_cast<std::int64_t>(wrong.size());
  if (count == rows * columns) {
    Pattern all;
    all.kind = count == 1 ? PatternKind::none : PatternKind::every_element;
    return all;
  }
  if (count == 1) return at(PatternKind::one_element, wrong[0].row, wrong[0].column, 0);
  const Range across{Axis::row, rows, wrong.front().row, wrong.back().row};
  Range along{Axis::column, columns, columns, 0};
  for (const Place& place : wrong) {
    along.first = std::min(along.first, place.column);
    along.last = std::max(along.last, place.column);
  }
  for (const Range& range : {across, along}) {
    if (range.single()) return range.pattern(PatternKind::one_line, 0);
  }
  for (const Range& range : {across, along}) {
    if (const std::int64_t tile = range.partial_tile(); tile != 0) {
      return range.pattern(PatternKind::partial_tile, tile);
    }
  }
  if (const auto found = residue(Axis::column, wrong, &Place::column)) return *found;
  if (const auto found = residue(Axis::row, wrong, &Place::row)) return *found;
  for (const std::int64_t tile : kTiles) {
    const bool inside =
        across.first / tile == across.last / tile && along.first / tile == along.last / tile;
    if (inside && (rows > tile || columns > tile)) {
      return at(PatternKind::tile, across.first / tile * tile, along.first / tile * tile, tile);
    }
  }
  for (const Range& range : {across, along}) {
    if (const std::int64_t tile = range.whole_tile(); tile != 0) {
      return range.pattern(PatternKind::whole_tile, tile);
    }
  }
  return {};
}

}  // namespace warpcheck::campaign::judge

// The factors of the covering array: properties of a case, divided into classes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns a random number from 0 to one less than its argument.
using Chance = std::function<std::int64_t(std::int64_t)>;

/// One choice of a case and the classes of its values.
struct Factor {
  std::string name;                      // "k", "lda", "data"
  std::vector<std::string_view> levels;  // "0", "1", "below a tile", "whole tiles" ...
  /// The extent that both a residue and a number of tiles describe, by its number in the schema.
  /// Not every level of one occurs with every level of the other.
  std::optional<std::size_t> extent;
  bool is_reduced = false;  // that extent is one of sums
  /// The least number of tiles of each level, on which the work depends; empty for other factors.
  std::vector<std::int64_t> least_tiles;
  std::int64_t tile = 1;  // elements, if the levels are numbers of tiles
  /// Returns the level of a normalized case; empty if it is undefined (m = 0).
  std::function<std::optional<std::size_t>(const Case&)> level_of;
  /// Changes the case to a level, without regard to `requires`.
  std::function<void(Case&, std::size_t level, const Chance&)> set;
};

/// Returns the factors of the contract's cases: extents by their residue modulo a tile and by their
/// number of tiles, leading dimensions and batch strides by tightness and alignment, offsets
/// of the bases, transpositions, batch, factors, and the recipe of the data. Fields without an
/// argument have no factor. Refers to the contract.
[[nodiscard]] std::vector<Factor> factors(const contract::Contract& contract,
                                          const CaseSchema& schema, const Tiles& tiles);

}  // namespace warpcheck::campaign::generate

// What distinguishes one case from another, in classes: the factors of a covering array.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/tiles.hpp"

namespace warpcheck::properties::generate {

/// A whole number from 0 to one less than its argument, at random.
using Chance = std::function<std::int64_t(std::int64_t)>;

/// One thing that a case chooses, and the classes that its values fall into.
struct Factor {
  std::string_view name;                 // "k", "lda", "data"
  std::vector<std::string_view> levels;  // "0", "1", "below a tile", "whole tiles" ...
  /// The level of a normalized case; empty where it says nothing of the factor (m = 0).
  std::function<std::optional<std::size_t>(const Case&)> level_of;
  /// Moves the case to a level where that can be done without regard to `requires`.
  std::function<void(Case&, std::size_t level, const Chance&)> set;
};

/// The factors of the contract's cases: m, n and k by their residue of a tile, leading dimensions
/// and strides by tightness and alignment, offsets of the bases, transposes, batch, alpha and beta,
/// the recipe of the data. Only of what the contract takes. Refers to the contract.
[[nodiscard]] std::vector<Factor> factors(const contract::Contract& contract, const Tiles& tiles);

}  // namespace warpcheck::properties::generate

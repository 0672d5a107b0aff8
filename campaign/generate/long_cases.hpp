// Cases with many tiles along one extent and few along the others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/landmarks.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/generate/sampling/tiles.hpp"

namespace warpcheck::campaign::generate {

/// The largest work of such a case, and its largest number of elements.
inline constexpr double kMostLongWork = 8e7;
inline constexpr double kMostLongElements = 4e6;

/// One extent and its size.
struct LongTarget {
  std::size_t extent = 0;  // its number in the schema
  std::int64_t size = 0;

  friend bool operator==(const LongTarget&, const LongTarget&) = default;
};

/// The long cases of each hundred: for each extent cases beyond its largest affordable landmark, or
/// with up to 32 tiles if it has none, then cases at each landmark, one beside it, and beyond it.
class LongCases {
 public:
  /// Slots of each hundred cases. The landmarks need not fill them.
  static constexpr std::size_t kSlots = 18;

  /// Refers to the contract, the schema and the tiles.
  LongCases(const CostModel& costs, const Landmarks& landmarks, std::uint64_t seed);

  /// Returns the target for a slot of a hundred, counted from 0; empty if no landmark is left.
  [[nodiscard]] std::optional<LongTarget> target(std::size_t hundred, std::size_t slot) const;

  /// Returns the case with the target's size, small other extents, no batch, and data that exposes
  /// the loss of a term.
  [[nodiscard]] Case resized(Case problem, const LongTarget& target, Rng& rng) const;

 private:
  [[nodiscard]] Cost cost(const LongTarget& target) const;
  [[nodiscard]] bool affordable(const LongTarget& target) const;
  [[nodiscard]] std::int64_t rounded_up(std::size_t extent, std::int64_t size) const;
  [[nodiscard]] LongTarget many_tiles(std::size_t extent, Rng& rng) const;
  [[nodiscard]] LongTarget beyond_landmarks(std::size_t extent, const Landmarks& landmarks,
                                            Rng& rng) const;
  void add(std::vector<LongTarget> targets, Rng& rng);

  [[nodiscard]] const ExtentTiles& tiles(std::size_t extent) const {
    return costs_.tiles().extents[extent];
  }

  const CostModel& costs_;
  std::vector<LongTarget> first_;  // targets that each hundred has
  std::vector<LongTarget> rest_;   // targets that the hundreds have in turn
};

}  // namespace warpcheck::campaign::generate

// Cases with many tiles along one extent and few along the others, and with two large extents.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/case_sampler.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/landmarks.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/generate/sampling/tiles.hpp"

namespace warpcheck::campaign::generate {

/// The largest cost of such a case.
inline constexpr Cost kMostOfDirected = {8e7, 4e6};

/// One extent and its size.
struct SizeTarget {
  std::size_t extent = 0;  // its number in the schema
  std::int64_t size = 0;

  friend bool operator==(const SizeTarget&, const SizeTarget&) = default;
};

/// The directed cases of each hundred: for each extent cases beyond its largest affordable
/// landmark, or with up to 32 tiles if it has none, then cases at each landmark, one beside it, and
/// beyond it. Where blocks do not compute tiles, also cases with two extents near numbers of the
/// contract.
class DirectedCases {
 public:
  /// Slots of each hundred cases. The landmarks need not fill them.
  static constexpr std::size_t kSlots = 18;

  /// Refers to the space.
  DirectedCases(const SampleSpace& space, const Landmarks& landmarks, std::uint64_t seed);

  /// Returns the ordinary case with the size of a slot of a hundred, counted from 0, small other
  /// extents, no batch, and data that exposes the loss of a term; empty if no landmark is left.
  [[nodiscard]] std::optional<Case> large(std::size_t hundred, std::size_t slot,
                                          const Case& ordinary, Rng& rng) const;

  /// Returns the ordinary case with two extents of blocks near numbers of the contract, or anywhere
  /// below twice one, and the others 1: each pair in turn. An element past both of two tiles, or in
  /// the last part of a vector in a later row, exists only if both are large. If both together cost
  /// too much, one of them keeps its size in two of three cases, and the other one has two parts;
  /// in the third case both are reduced, and another extent may be larger than 1.
  [[nodiscard]] std::optional<Case> pair(std::size_t number, const Case& ordinary, Rng& rng) const;

 private:
  [[nodiscard]] Case resized(Case problem, const SizeTarget& target, Rng& rng) const;
  [[nodiscard]] Cost cost(const SizeTarget& target) const;
  [[nodiscard]] bool affordable(const SizeTarget& target) const;
  [[nodiscard]] std::int64_t rounded_up(std::size_t extent, std::int64_t size) const;
  [[nodiscard]] SizeTarget many_tiles(std::size_t extent, Rng& rng) const;
  [[nodiscard]] SizeTarget beyond_landmarks(std::size_t extent, const Landmarks& landmarks,
                                            Rng& rng) const;
  void add(std::vector<SizeTarget> targets, Rng& rng);
  void keep_to_limits(const std::vector<std::size_t>& extents, Case& problem, Rng& rng) const;
  [[nodiscard]] std::optional<Case> near(Case problem, const Cost& most) const;

  [[nodiscard]] const CostModel& costs() const { return space_.cases.costs(); }
  [[nodiscard]] const CaseSchema& schema() const { return costs().schema(); }
  [[nodiscard]] const ExtentTiles& tiles(std::size_t extent) const {
    return costs().tiles().extents[extent];
  }

  const SampleSpace& space_;
  std::vector<SizeTarget> first_;  // targets that each hundred has
  std::vector<SizeTarget> rest_;   // targets that the hundreds have in turn
};

}  // namespace warpcheck::campaign::generate

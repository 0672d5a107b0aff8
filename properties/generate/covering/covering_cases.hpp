// Cases chosen so that every pair, and then every triple, of the levels of their factors occurs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/covering/covering.hpp"
#include "properties/generate/covering/factors.hpp"
#include "properties/generate/sampling/rng.hpp"

namespace warpcheck::properties::generate {

/// Returns the case in the domain that is nearest to a target; empty if the search finds none.
using Projection = std::function<std::optional<Case>(Case)>;

class CoveringCases {
 public:
  /// `sample` returns a random case of the contract, without regard to `requires`.
  CoveringCases(const contract::Contract& contract, const Tiles& tiles, Projection project,
                const std::function<Case(std::uint64_t)>& sample);

  [[nodiscard]] Row row(const Case& problem) const;

  /// Returns true if every combination of three that the domain allows has been met.
  [[nodiscard]] bool complete() const {
    return pairs_.complete() && triples_ && triples_->complete();
  }
  [[nodiscard]] bool pairs_complete() const { return pairs_.complete(); }

  /// Returns a case that meets combinations that no case has met so far: `sampled` with as many
  /// factors changed as necessary. Empty if the domain has no such case.
  [[nodiscard]] std::optional<Case> next(const Case& sampled, std::uint64_t seed);

  /// Marks the combinations of a case, which need not come from next(), as met.
  void add(const Case& problem);

  [[nodiscard]] const Combinations& combinations() const { return combinations_; }

 private:
  [[nodiscard]] Case moved(Case problem, const Row& row, Rng& rng) const;
  [[nodiscard]] Row greedy_row(const Interactions& interactions, std::size_t wanted,
                               Rng& rng) const;
  [[nodiscard]] Row without_other_counts(Row row, const Row& wanted) const;
  [[nodiscard]] Case target(const Case& sampled, const Interactions& interactions,
                            std::size_t wanted, int attempt, Rng& rng) const;
  void exclude_levels(const std::function<Case(std::uint64_t)>& sample);
  void exclude_contradictions();
  void exclude_pair(std::size_t number);
  void begin_triples();

  std::vector<Factor> factors_;
  Projection project_;
  Combinations combinations_;
  Interactions pairs_;
  std::optional<Interactions> triples_;       // once the pairs are complete
  std::vector<std::vector<bool>> reachable_;  // by factor and level
  std::size_t next_wanted_ = 0;
  std::vector<Row> rows_;  // of the cases so far
};

}  // namespace warpcheck::properties::generate

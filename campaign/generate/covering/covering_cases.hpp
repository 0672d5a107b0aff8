// Cases chosen so that every pair, and then every triple, of the levels of their factors occurs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/covering/covering.hpp"
#include "campaign/generate/covering/factors.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/rng.hpp"

namespace warpcheck::campaign::generate {

/// Returns the case in the domain that is nearest to a target; empty if the search finds none, or
/// if the case costs too much. `cheap` lowers the limit.
using Projection = std::function<std::optional<Case>(Case, bool cheap)>;

/// The numbers of tiles, along all extents together, for which most cases are to be cheap.
struct CheapTiles {
  std::int64_t usual = 1;
  std::int64_t dear = 1;  // every eighth case
};

class CoveringCases {
 public:
  /// `sample` returns a random case of the contract, without regard to `requires`.
  /// Refers to the costs.
  CoveringCases(const CostModel& costs, CheapTiles cheap, Projection project,
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
                               std::int64_t most_tiles, Rng& rng) const;
  [[nodiscard]] std::int64_t tiles_of(const Row& row) const;
  void drop_largest_count(Case& sampled, Row& row, const Row& wanted, Rng& rng) const;
  [[nodiscard]] Case grown(Case problem, const Row& wanted, Rng& rng) const;
  [[nodiscard]] Case target(Case sampled, const Interactions& interactions, std::size_t wanted,
                            int attempt, bool cheap, Rng& rng) const;
  [[nodiscard]] std::size_t number_of(const Factor& factor) const {
    return static_cast<std::size_t>(&factor - factors_.data());
  }
  void exclude_levels(const std::function<Case(std::uint64_t)>& sample);
  void exclude_contradictions();
  void exclude_pair(std::size_t number);
  void begin_triples();

  const CaseSchema& schema_;
  std::vector<Factor> factors_;
  CheapTiles cheap_;
  Projection project_;
  Combinations combinations_;
  Interactions pairs_;
  std::optional<Interactions> triples_;       // empty until the pairs are complete
  std::vector<std::vector<bool>> reachable_;  // indexed by factor, then by level
  std::size_t next_wanted_ = 0;
  std::vector<Row> rows_;  // levels of the cases so far
};

}  // namespace warpcheck::campaign::generate

// Cases chosen so that every pair, and then every triple, of the levels of their factors occurs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/covering.hpp"
#include "properties/generate/factors.hpp"
#include "properties/generate/rng.hpp"

namespace warpcheck::properties::generate {

/// The case nearest to a wish inside the domain; empty where the search finds none.
using Nearest = std::function<std::optional<Case>(Case)>;

class CoveringCases {
 public:
  /// `base` draws any wish of the contract.
  CoveringCases(const contract::Contract& contract, const Tiles& tiles, Nearest nearest,
                const std::function<Case(std::uint64_t)>& base);

  [[nodiscard]] Row row(const Case& problem) const;

  /// Whether every combination of three that the domain allows has been met.
  [[nodiscard]] bool complete() const {
    return pairs_.complete() && triples_ && triples_->complete();
  }
  [[nodiscard]] bool pairs_complete() const { return pairs_.complete(); }

  /// A case that meets combinations that no case has met so far: the wish changed in as many
  /// factors as that takes. Empty where the domain turns out not to hold what was wanted.
  [[nodiscard]] std::optional<Case> next(const Case& wish, std::uint64_t seed);

  /// The case was chosen, whether or not by next().
  void chosen(const Case& problem);

  [[nodiscard]] const Combinations& combinations() const { return combinations_; }

 private:
  [[nodiscard]] Case moved(Case wish, const Row& row, Draws& draw) const;
  [[nodiscard]] Row greedy_row(const Interactions& interactions, std::size_t wanted,
                               Draws& draw) const;
  void exclude_levels(const std::function<Case(std::uint64_t)>& base);
  void begin_triples();

  std::vector<Factor> factors_;
  Nearest nearest_;
  Combinations combinations_;
  Interactions pairs_;
  std::optional<Interactions> triples_;       // once the pairs are complete
  std::vector<std::vector<bool>> reachable_;  // by factor and level
  std::size_t next_wanted_ = 0;
  std::vector<Row> chosen_;
};

}  // namespace warpcheck::properties::generate

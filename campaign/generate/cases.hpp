// Adversarial cases in the domain of a contract.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/generate/case_source.hpp"
#include "campaign/generate/constraints/domain_rules.hpp"
#include "campaign/generate/covering/covering.hpp"
#include "campaign/generate/launch_cases.hpp"
#include "campaign/generate/long_cases.hpp"
#include "campaign/generate/sampling/case_sampler.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

class CoveringCases;

/// Generates cases. Case number i is a pure function of the seed, the contract and i.
///
/// Sizes are near multiples of the contract's tiles, small, prime, or far from one another. Leading
/// dimensions are tight, odd or padded, and so are the strides of a batch of up to five. Bases are
/// up to three elements off. Each case has a random budget of work, so that large shapes are as
/// likely among the first cases as among the last. The largest budget grows with the work of the
/// least case of the domain that is not empty.
///
/// Some of the first cases are chosen so that every pair of the levels of their factors occurs
/// early, and then every triple. If all have occurred, cases have the largest budget.
///
/// Each hundred has cases with several tiles along m, n and k, long cases with many tiles along one
/// extent, and at most one case without rows or columns. Most long cases are at landmarks (see
/// long_cases.hpp).
///
/// Each hundred has one case for each limit of the grid that the author's domain allows a case to
/// exceed (see domain_rules.hpp) and for each axis with a grid-stride loop. With
/// `int32_overflow_strides`, which requires a device with sparse memory, each hundred has one case
/// for each leading dimension with offsets beyond 32 bits.
///
/// If launches have conditions, one case in three is one to which a certain launch applies.
///
/// With a `max_size`, sampled extents do not exceed it, and there are no such extreme cases.
class CaseGenerator : public CaseSource {
 public:
  CaseGenerator(const contract::Contract& contract, std::uint64_t seed,
                bool int32_overflow_strides = false, std::int64_t max_size = 0,
                const SizeLimits& limits = {});
  /// Generates cases at the numbers of the variant's PTX, too. The other cases are the same.
  CaseGenerator(const contract::Variant& variant, std::uint64_t seed,
                bool int32_overflow_strides = false, std::int64_t max_size = 0,
                const SizeLimits& limits = {});
  ~CaseGenerator() override;

  /// Returns case number `index`. Throws InputError, located at the contract, if the search finds
  /// no case that satisfies `requires`. Thread-safe.
  [[nodiscard]] GeneratedCase draw(std::int64_t index) const override;
  void plan(std::int64_t end) const override;
  [[nodiscard]] std::int64_t planned() const override;

  /// Returns the combinations of the factors' levels to meet, as determined within the first
  /// `cases` cases.
  [[nodiscard]] Combinations combinations(std::int64_t cases) const override;
  /// Returns the levels of a case.
  [[nodiscard]] Row levels(const Case& problem) const override;

 private:
  CaseGenerator(const contract::Contract& contract, const contract::Variant* variant,
                std::uint64_t seed, bool int32_overflow_strides, std::int64_t max_size,
                const SizeLimits& limits);

  [[nodiscard]] std::optional<GeneratedCase> extreme(std::size_t index) const;
  [[nodiscard]] std::optional<Case> long_case(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] std::optional<Case> deep_case(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] std::optional<Case> empty_case(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] std::optional<Case> special(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] std::optional<Case> covering_case(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] GeneratedCase unplanned(std::int64_t index) const;
  [[nodiscard]] std::optional<Case> least_case() const;
  [[nodiscard]] std::optional<Case> project_affordable(Case target, const Cost& most) const;
  [[nodiscard]] std::optional<Case> project_within_budget(const CaseSampler& sampler,
                                                          Case target) const;
  [[nodiscard]] CaseSampler sampler(std::uint64_t seed, bool spends) const;
  [[nodiscard]] GeneratedCase ordinary(std::uint64_t seed, bool spends) const;
  [[nodiscard]] CoveringCases& covering() const;
  void plan_next() const;
  void apply_launch(std::size_t index, Case& problem) const;
  void apply_structure(std::size_t index, Case& problem) const;
  void require_a_case() const;

  const contract::Contract& contract_;
  std::uint64_t seed_;
  std::int64_t max_size_;
  SizeLimits limits_;
  Tiles tiles_;
  CaseSchema schema_;
  Solver solver_;
  std::optional<Solver> sparse_solver_;  // solver for cases whose matrices need sparse memory
  std::optional<Case> least_case_;  // the least case of the domain; empty: the domain has no case
  Cost least_;                      // cost of least_case_
  Budgets budgets_;
  LongCases long_cases_;
  LaunchCases launch_cases_;
  std::vector<Case> grid_cases_;
  std::vector<Operand> overflow_operands_;

  mutable std::mutex planning_;
  mutable std::unique_ptr<CoveringCases> covering_;
  mutable std::vector<GeneratedCase> planned_;  // the first cases
  // Read without the lock.
  mutable std::atomic<const CoveringCases*> known_covering_ = nullptr;
  mutable std::atomic<std::size_t> planned_until_ = 0;
  mutable std::atomic<bool> plan_fails_ = false;
};

}  // namespace warpcheck::campaign::generate

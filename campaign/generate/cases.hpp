// Adversarial cases in the domain of a contract.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/constraints/size_limits.hpp"
#include "campaign/generate/covering/covering.hpp"
#include "campaign/generate/ordinary_cases.hpp"
#include "campaign/generate/sampling/affordable.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "campaign/generate/special_cases.hpp"
#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

class CoveringCases;

struct GeneratedCase {
  Case problem;  // normalized case in the domain
  /// The conjunct of `requires` that the sampled case violates; empty if it is in the domain.
  std::optional<std::string> excluded_by;
};

struct CaseOptions {
  std::uint64_t seed = 0;
  bool int32_overflow_strides = false;  // requires a device with sparse memory
  std::int64_t max_size = 0;            // largest extent, if the domain allows it; 0: no limit
  SizeLimits sizes = {};
};

/// Generates cases. Case number i is a pure function of the seed, the contract and i.
///
/// Sizes are near multiples of the contract's tiles and numbers, small, prime, or far from one
/// another. Strides are tight, odd or padded. Bases are up to three elements off. Each case has a
/// random budget of work, so that large shapes are as likely among the first cases as among the
/// last. The largest budget grows with the work of the least case of the domain that is not empty.
///
/// Some of the first cases are chosen so that every pair of the levels of their factors occurs
/// early, and then every triple. If all have occurred, cases have the largest budget.
///
/// Cases at certain places of each hundred have another purpose: see special_cases.hpp. With a
/// `max_size`, sampled extents do not exceed it, and there are no extreme cases.
class CaseGenerator {
 public:
  CaseGenerator(const contract::Contract& contract, const CaseOptions& options);
  /// Generates cases at the numbers of the variant's PTX, too. The other cases are the same.
  CaseGenerator(const contract::Variant& variant, const CaseOptions& options);
  CaseGenerator(const CaseGenerator&) = delete;
  CaseGenerator& operator=(const CaseGenerator&) = delete;
  ~CaseGenerator();

  /// Returns case number `index`. Throws InputError, located at the contract, if the search finds
  /// no case that satisfies `requires`. Thread-safe.
  [[nodiscard]] GeneratedCase draw(std::int64_t index) const;

  /// Makes the cases before number `end` that follow from those before them, so that threads that
  /// draw them do not wait for one another.
  void plan(std::int64_t end) const;
  /// Returns the number of the first case that waits for a plan, after the last call of plan().
  [[nodiscard]] std::int64_t planned() const;

  /// Returns the combinations of the factors' levels to meet, as determined within the first
  /// `cases` cases.
  [[nodiscard]] Combinations combinations(std::int64_t cases) const;
  /// Returns the levels of a case.
  [[nodiscard]] Row levels(const Case& problem) const;

 private:
  CaseGenerator(const contract::Contract& contract, const contract::Variant* variant,
                const CaseOptions& options);

  [[nodiscard]] std::optional<Case> covering_case(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] GeneratedCase unplanned(std::size_t index) const;
  [[nodiscard]] std::optional<Case> least_case() const;
  [[nodiscard]] GeneratedCase ordinary(std::size_t index, bool spends) const;
  [[nodiscard]] CoveringCases& covering() const;
  void plan_next() const;
  void require_a_case() const;

  const contract::Contract& contract_;
  std::uint64_t seed_;
  SizeLimits limits_;
  CaseSchema schema_;
  Tiles tiles_;
  CostModel costs_;
  Solver solver_;
  std::optional<Solver> sparse_solver_;  // solver for cases whose operands need sparse memory
  AffordableCases affordable_;
  std::optional<Case> least_case_;  // the least case of the domain; empty: the domain has no case
  Cost least_;                      // cost of least_case_
  Budgets budgets_;
  OrdinaryCases ordinary_;
  std::optional<SpecialCases> special_;

  mutable std::mutex planning_;
  mutable std::unique_ptr<CoveringCases> covering_;
  mutable std::vector<GeneratedCase> planned_;  // the first cases
  // Read without the lock.
  mutable std::atomic<const CoveringCases*> known_covering_ = nullptr;
  mutable std::atomic<std::size_t> planned_until_ = 0;
  mutable std::atomic<bool> plan_fails_ = false;
};

}  // namespace warpcheck::campaign::generate

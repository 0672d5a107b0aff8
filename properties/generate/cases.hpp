// Draws adversarial cases inside a contract's domain.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/covering.hpp"
#include "properties/generate/solver.hpp"
#include "properties/generate/tiles.hpp"

namespace warpcheck::properties::generate {

class CoveringCases;

struct GeneratedCase {
  Case problem;                            // inside the domain, normalized
  std::optional<std::string> excluded_by;  // the conjunct that the wish, drawn without regard to
                                           // `requires`, broke; empty: it was inside already
};

/// Case number i is a pure function of the seed, the contract and i. Sizes lie around multiples of
/// the contract's tiles, small, prime, or far from one another; leading dimensions are tight, odd
/// or padded, and so are the strides of a batch of up to five; bases up to three elements off.
/// Every case draws its own budget of work, so that large shapes are as likely among the first
/// cases as among the last. Among the first cases some are chosen so that every pair of the levels
/// of their factors occurs, as soon as can be, and then every triple. In every hundred, one case
/// each passes a limit of the grid that the domain lets it pass, or has blocks walk, and, where
/// `far_lines`, one case each has a leading dimension that takes more than 32 bits to walk along,
/// which needs a device that is sparse. With a `max_size`, extents beyond it are not wished for,
/// nor any of these.
class CaseGenerator {
 public:
  CaseGenerator(const contract::Contract& contract, std::uint64_t seed,
                bool int32_overflow_strides = false, std::int64_t max_size = 0);
  ~CaseGenerator();

  /// Throws InputError, located at the contract, where `requires` admits no case that the search
  /// finds. Safe to call from several threads at once.
  [[nodiscard]] GeneratedCase draw(std::int64_t index) const;

  /// The combinations of factors' levels that there are to be met, as known when so many cases were
  /// drawn; and a case's levels.
  [[nodiscard]] Combinations combinations(std::int64_t cases) const;
  [[nodiscard]] Row levels(const Case& problem) const;

 private:
  [[nodiscard]] bool extreme(std::size_t index) const;
  [[nodiscard]] GeneratedCase unplanned(std::int64_t index) const;
  [[nodiscard]] std::optional<Case> nearest(Case wish) const;
  [[nodiscard]] GeneratedCase ordinary(std::uint64_t seed) const;
  [[nodiscard]] CoveringCases& covering() const;
  void plan_next() const;

  const contract::Contract& contract_;
  std::uint64_t seed_;
  std::int64_t max_size_;
  Tiles tiles_;
  Solver solver_;
  std::vector<Case> beyond_grid_limits_;
  std::vector<contract::ArgumentWord> far_words_;  // of leading dimensions

  mutable std::mutex planning_;
  mutable std::unique_ptr<CoveringCases> covering_;
  mutable std::vector<GeneratedCase> planned_;  // the first cases
};

}  // namespace warpcheck::properties::generate

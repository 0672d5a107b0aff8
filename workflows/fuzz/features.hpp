// Features that distinguish the cases of a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/run/observation.hpp"
#include "contract/contract.hpp"

namespace warpcheck::workflows::fuzz {

/// The subject of a feature.
enum class FeatureKind : std::uint8_t {
  edge,        // a PTX edge that a warp took
  condition,   // a predicate that held, or that failed
  divergence,  // a PTX edge that only some lanes of a warp took
  turns,       // the times that a warp takes an edge on average: 1, 2, 3, 4-7, 8-15, ...
  extent,      // the number of whole tiles in an extent, and the remainder, for each tile
  alignment,   // the alignment in bytes of each base, leading dimension and stride; tight or not
  property,    // the property, the recipe
  factors,     // scalars such as alpha and beta, transposes, the batch
  grid,        // the shape of the grid of each launch, in powers of two
  error,       // steps of the error from 1/64 of the bound on, a factor of 2^(1/4) each: all steps
               // up to the error, so that the case with the largest one owns the last step
};
inline constexpr std::size_t kFeatureKinds = 10;

/// A fingerprint; the same in every run of the same program under the same contract.
struct Feature {
  FeatureKind kind = FeatureKind::edge;
  std::uint64_t print = 0;

  friend bool operator==(const Feature&, const Feature&) = default;
  friend bool operator<(const Feature& one, const Feature& other) {
    return std::tie(one.kind, one.print) < std::tie(other.kind, other.print);
  }
};

/// Returns true if the feature is about the coverage of the kernel.
[[nodiscard]] inline bool is_coverage(const Feature& feature) {
  return feature.kind <= FeatureKind::divergence;
}

class Features {
 public:
  /// Refers to the contract.
  explicit Features(const contract::Contract& contract);

  /// Returns the features in ascending order, each once.
  [[nodiscard]] std::vector<Feature> of(const campaign::Case& problem,
                                        const campaign::run::Observation& seen,
                                        std::optional<double> error_over_bound) const;

 private:
  const contract::Contract& contract_;
  campaign::CaseSchema schema_;
  std::vector<std::vector<std::int64_t>> tiles_;  // tile sizes of each extent
};

}  // namespace warpcheck::workflows::fuzz

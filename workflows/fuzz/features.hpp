// Features that distinguish the cases of a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/run/devices/watched_device.hpp"

namespace warpcheck::workflows::fuzz {

/// The subject of a feature.
enum class FeatureKind : std::uint8_t {
  edge,        // a PTX edge that was gone
  condition,   // a predicate that held, or that failed
  divergence,  // a PTX edge that only some lanes of a warp went
  turns,       // how often a warp goes an edge: 1, 2, 3, 4-7, 8-15, ...
  extent,      // of each extent: the number of whole tiles, and what is left, for each tile
  alignment,   // in bytes, of every base, leading dimension and stride; tight or not
  property,    // the property, the recipe
  factors,     // scalars such as alpha and beta, transposes, the batch
  grid,        // the shape of each launch's, in powers of two
  error,       // how near it came to the bound, from 1/64 of it on in steps of 2^(1/4): all steps
               // that it passed, so that the case with the largest has the last for itself
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

/// Returns a class of numbers: 0, 1, 2, 3, then powers of two.
[[nodiscard]] std::uint64_t size_class(std::uint64_t number);

/// Returns a class of factors: 0, 1, -1 and others.
[[nodiscard]] std::uint64_t factor_class(double factor);

class Features {
 public:
  /// Refers to the contract.
  explicit Features(const contract::Contract& contract);

  /// Ascending, each once.
  [[nodiscard]] std::vector<Feature> of(const properties::Case& problem,
                                        const properties::run::Observation& seen,
                                        std::optional<double> error_over_bound) const;

 private:
  const contract::Contract& contract_;
  std::vector<std::vector<std::int64_t>> tiles_;  // of each extent
};

}  // namespace warpcheck::workflows::fuzz

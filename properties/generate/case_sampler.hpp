// A case as chance would have it, without regard to `requires`.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/rng.hpp"
#include "properties/generate/tiles.hpp"

namespace warpcheck::properties::generate {

/// Multiply-adds of the case, its sizes rounded up to whole tiles of at most 128.
[[nodiscard]] double tiled_work(const Tiles& tiles, const Case& problem);

/// Of A, B and C together.
[[nodiscard]] double elements(const Case& problem);

/// Leading dimensions and strides that a change of sizes has made too small become tight.
void reset_invalid_strides(const contract::Contract& contract, Case& wish);

/// Refers to its arguments. Every wish draws its own budget of work, evenly in the logarithm.
class CaseSampler {
 public:
  /// Extents beyond `max_size`, where it is not 0, are drawn again.
  CaseSampler(const contract::Contract& contract, const Tiles& tiles, std::uint64_t seed,
              std::int64_t max_size);

  [[nodiscard]] Case drawn();

  /// Halves the extent that is largest above its least value until the work is affordable.
  void shrink_to_budget(Case& wish, const std::array<std::int64_t, 3>& least) const;

  [[nodiscard]] bool affordable(const Case& wish) const;

 private:
  [[nodiscard]] std::int64_t leading_of(const Case& wish, contract::ArgumentWord word);
  [[nodiscard]] std::int64_t stride_of(const Case& wish, contract::ArgumentWord word);

  const contract::Contract& contract_;
  const Tiles& tiles_;
  Draws draw_;
  std::array<rc::Gen<std::int64_t>, 3> extents_;
  double budget_ = 0.0;
};

}  // namespace warpcheck::properties::generate

// Samples random cases without regard to `requires`.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/sampling/rng.hpp"
#include "properties/generate/sampling/tiles.hpp"

namespace warpcheck::properties::generate {

/// Returns the multiply-adds of the case, with sizes rounded up to whole tiles of at most 128.
[[nodiscard]] double tiled_work(const Tiles& tiles, const Case& problem);

/// Returns the number of elements of A, B and C together.
[[nodiscard]] double elements(const Case& problem);

/// Makes each leading dimension and batch stride tight that is too small for the sizes.
void reset_invalid_strides(const contract::Contract& contract, Case& problem);

/// Samples one case. Its budget of work is log-uniform, so that large shapes are not rare. Refers
/// to its arguments.
class CaseSampler {
 public:
  /// Extents above `max_size`, unless it is 0, are mapped into 1 .. `max_size`.
  CaseSampler(const contract::Contract& contract, const Tiles& tiles, std::uint64_t seed,
              std::int64_t max_size);

  [[nodiscard]] Case sample();

  /// Halves the extent that is largest above its least value until the case is affordable.
  void shrink_to_budget(Case& sampled, const std::array<std::int64_t, 3>& least) const;

  [[nodiscard]] bool affordable(const Case& sampled) const;

 private:
  void sample_layout(Case& sampled);

  const contract::Contract& contract_;
  const Tiles& tiles_;
  Rng rng_;
  std::array<rc::Gen<std::int64_t>, 3> extents_;
  double budget_ = 0.0;
};

}  // namespace warpcheck::properties::generate

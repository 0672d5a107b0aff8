// Samples random cases without regard to `requires`.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns the multiply-adds of the case, with m and n rounded up to whole tiles and all extents to
/// their periods.
[[nodiscard]] double tiled_work(const Tiles& tiles, const Case& problem);

/// Returns the number of elements of A, B and C together.
[[nodiscard]] double elements(const Case& problem);

/// The cost of a case, or a limit of it.
struct Cost {
  double work = 0.0;  // tiled_work()
  double elements = 0.0;
};
[[nodiscard]] Cost cost(const Tiles& tiles, const Case& problem);

/// Largest costs of cases. They grow with the least case of the domain that has rows, columns and
/// terms: 2 x 2 tiles with 3 steps along k are affordable if each is as large as that case.
struct Budgets {
  Cost sampled;
  Cost covering;       // most cases that cover combinations
  Cost covering_dear;  // the others, and combinations that no cheaper case has
};
[[nodiscard]] Budgets budgets(const Tiles& tiles, const Cost& least);

/// Makes each leading dimension and batch stride tight that is too small for the sizes.
void reset_invalid_strides(const contract::Contract& contract, Case& problem);

/// Parameters of a sampler.
struct Sampling {
  std::int64_t max_size = 0;  // extents above it are mapped into 1 .. max_size; 0: no limit
  Cost least;                 // cost of the least case of the domain that is not empty
  Cost most;                  // largest cost of a case
  bool spends = false;        // the budget is the largest one
};

/// Samples one case. Its budget of work is log-uniform, so that large shapes are not rare. Refers
/// to the contract and to the tiles.
class CaseSampler {
 public:
  CaseSampler(const contract::Contract& contract, const Tiles& tiles, std::uint64_t seed,
              const Sampling& sampling);

  [[nodiscard]] Case sample();

  /// Halves the number of tiles of the extent that has most until the case is affordable. An extent
  /// of one tile, or as small as its least value allows, remains; k may become smaller than a step
  /// if its period is 1.
  void shrink_to_budget(Case& sampled, const std::array<std::int64_t, 3>& least) const;

  [[nodiscard]] bool affordable(const Case& sampled) const;

 private:
  void sample_layout(Case& sampled);

  const contract::Contract& contract_;
  const Tiles& tiles_;
  Rng rng_;
  std::array<rc::Gen<std::int64_t>, 3> extents_;
  Cost budget_;
};

}  // namespace warpcheck::campaign::generate

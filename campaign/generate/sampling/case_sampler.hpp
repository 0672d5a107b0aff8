// Samples random cases of a product of matrices without regard to `requires`.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Parameters of a sampler.
struct Sampling {
  std::int64_t max_size = 0;  // extents above it are mapped into 1 .. max_size; 0: no limit
  Cost least;                 // cost of the least case of the domain that is not empty
  Cost most;                  // largest cost of a case
  bool spends = false;        // the budget is the largest one
};

/// Samples one case. Its budget of work is log-uniform, so that large shapes are not rare. Refers
/// to the costs.
class CaseSampler {
 public:
  CaseSampler(const CostModel& costs, std::uint64_t seed, const Sampling& sampling);

  [[nodiscard]] Case sample();

  /// Halves the number of tiles of the extent that has most until the case is affordable. An extent
  /// of one tile, or as small as its least value allows, remains; k may become smaller than a step
  /// if its period is 1.
  void shrink_to_budget(Case& sampled, const std::array<std::int64_t, 3>& least) const;

  [[nodiscard]] bool affordable(const Case& sampled) const;

 private:
  void sample_layout(Case& sampled);
  [[nodiscard]] const ExtentTiles& tiles_of(std::size_t extent) const {
    return costs_.tiles().extents[extent];
  }

  const contract::Contract& contract_;
  const CostModel& costs_;
  Rng rng_;
  std::array<rc::Gen<std::int64_t>, 3> extents_;
  Cost budget_;
};

}  // namespace warpcheck::campaign::generate

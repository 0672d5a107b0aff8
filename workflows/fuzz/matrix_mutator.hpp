// Mutation of cases of a product of matrices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "contract/contract.hpp"
#include "workflows/fuzz/mutator.hpp"

namespace warpcheck::workflows::fuzz {

class MatrixMutator final : public Mutator {
 public:
  /// `literals` are sizes to try, `properties` the names of the properties to check. Keeps a
  /// reference to the contract.
  MatrixMutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
                std::vector<std::string> properties,
                const campaign::generate::SizeLimits& sizes = {});

  [[nodiscard]] std::optional<campaign::Case> mutated(
      const campaign::Case& parent, const campaign::Case& donor,
      campaign::generate::Rng& random) const override;
  [[nodiscard]] std::vector<campaign::Case> neighbours(const campaign::Case& parent) const override;

 private:
  void change(campaign::Case& problem, const campaign::Case& donor,
              campaign::generate::Rng& random) const;
  void change_extent(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_lines(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_offset(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_factor(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_shape(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_property(campaign::Case& problem, campaign::generate::Rng& random) const;
  void take_from(campaign::Case& problem, const campaign::Case& donor,
                 campaign::generate::Rng& random) const;
  [[nodiscard]] std::optional<campaign::Case> inside(campaign::Case problem, double work) const;
  [[nodiscard]] bool affordable(const campaign::Case& problem, double work) const;

  const contract::Contract& contract_;
  campaign::generate::Solver solver_;
  campaign::generate::Tiles tiles_;
  campaign::generate::CostModel costs_;
  std::vector<std::int64_t> literals_;
  std::vector<std::string> properties_;
  std::vector<campaign::Recipe> recipes_;
  double least_work_ = 0.0;  // least budget of a mutant, the work of a few tiles
};

}  // namespace warpcheck::workflows::fuzz

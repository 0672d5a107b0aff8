// Mutation of cases of a product of matrices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/sampling/rng.hpp"
#include "properties/generate/sampling/solver.hpp"
#include "properties/generate/sampling/tiles.hpp"
#include "workflows/fuzz/mutator.hpp"

namespace warpcheck::workflows::fuzz {

class MatrixMutator final : public Mutator {
 public:
  /// `literals` are sizes to try, `properties` the names of the properties to check. Keeps a
  /// reference to the contract.
  MatrixMutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
                std::vector<std::string> properties,
                const properties::generate::SizeLimits& sizes = {});

  [[nodiscard]] std::optional<properties::Case> mutated(
      const properties::Case& parent, const properties::Case& donor,
      properties::generate::Rng& random) const override;
  [[nodiscard]] std::vector<properties::Case> neighbours(
      const properties::Case& parent) const override;

 private:
  void change(properties::Case& problem, const properties::Case& donor,
              properties::generate::Rng& random) const;
  void change_extent(properties::Case& problem, properties::generate::Rng& random) const;
  void change_lines(properties::Case& problem, properties::generate::Rng& random) const;
  void change_offset(properties::Case& problem, properties::generate::Rng& random) const;
  void change_factor(properties::Case& problem, properties::generate::Rng& random) const;
  void change_shape(properties::Case& problem, properties::generate::Rng& random) const;
  void change_property(properties::Case& problem, properties::generate::Rng& random) const;
  void take_from(properties::Case& problem, const properties::Case& donor,
                 properties::generate::Rng& random) const;
  [[nodiscard]] std::optional<properties::Case> inside(properties::Case problem, double work) const;
  [[nodiscard]] bool affordable(const properties::Case& problem, double work) const;

  const contract::Contract& contract_;
  properties::generate::Solver solver_;
  properties::generate::Tiles tiles_;
  std::vector<std::int64_t> literals_;
  std::vector<std::string> properties_;
  std::vector<properties::Recipe> recipes_;
  double least_work_ = 0.0;  // least budget of a mutant, the work of a few tiles
};

}  // namespace warpcheck::workflows::fuzz

// Mutation of a case to a similar one in the same domain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/sampling/rng.hpp"
#include "properties/generate/sampling/solver.hpp"
#include "properties/generate/sampling/tiles.hpp"

namespace warpcheck::workflows::fuzz {

/// The whole numbers from 2 to 4096 that a kernel of a PTX text (by its mangled name) compares,
/// multiplies, divides or masks with, ascending: sizes at which it may act differently.
[[nodiscard]] std::vector<std::int64_t> literals_of(std::string_view ptx, std::string_view kernel);

class Mutator {
 public:
  /// `literals` are sizes to try, `properties` the names of the properties to check. Keeps a
  /// reference to the contract.
  Mutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
          std::vector<std::string> properties, const properties::generate::SizeLimits& sizes = {});

  /// Changes a few fields of the parent, some perhaps to the donor's values. The result is inside
  /// the domain, normalized, and no more expensive than generated cases. Empty if no such case is
  /// found.
  [[nodiscard]] std::optional<properties::Case> mutated(const properties::Case& parent,
                                                        const properties::Case& donor,
                                                        properties::generate::Rng& random) const;

  /// Returns the case with one extent changed to each literal and by one, in a fixed order. All
  /// have the first property, because others may fix an extent.
  [[nodiscard]] std::vector<properties::Case> neighbours(const properties::Case& parent) const;

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
  double least_work_ = 0.0;  // that a mutant may take: a few tiles
};

}  // namespace warpcheck::workflows::fuzz

// From one case of a contract's domain to another near it.
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
  /// `literals` are sizes worth trying, `properties` the names of what may be asked. Refers to the
  /// contract.
  Mutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
          std::vector<std::string> properties);

  /// The parent changed in one to a few fields, some of them perhaps to the donor's values: inside
  /// the domain, normalized, no dearer than the generator's cases. Empty where that fails.
  [[nodiscard]] std::optional<properties::Case> mutated(const properties::Case& parent,
                                                        const properties::Case& donor,
                                                        properties::generate::Rng& random) const;

  /// The case with one extent changed to each literal and by one, in an order that does not depend
  /// on chance. All are asked the first of the properties: others may hold an extent fast.
  [[nodiscard]] std::vector<properties::Case> neighbours(const properties::Case& parent) const;

 private:
  void change(properties::Case& problem, const properties::Case& donor,
              properties::generate::Rng& random) const;
  void change_extent(properties::Case& problem, properties::generate::Rng& random) const;
  void change_lines(properties::Case& problem, properties::generate::Rng& random) const;
  void change_offset(properties::Case& problem, properties::generate::Rng& random) const;
  void change_factor(properties::Case& problem, properties::generate::Rng& random) const;
  void change_shape(properties::Case& problem, properties::generate::Rng& random) const;
  void change_question(properties::Case& problem, properties::generate::Rng& random) const;
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

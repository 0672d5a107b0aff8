// From one case of a contract's domain to another near it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/contract/contract.hpp"
#include "properties/case.hpp"
#include "properties/generate/random.hpp"
#include "properties/generate/solve.hpp"
#include "properties/generate/tiles.hpp"

namespace warpcheck::properties {

/// The whole numbers from 2 to 4096 that a kernel of a PTX text (by its mangled name) compares,
/// multiplies, divides or masks with, ascending: sizes at which it may act differently.
[[nodiscard]] std::vector<std::int64_t> literals_of(std::string_view ptx, std::string_view kernel);

class Mutator {
 public:
  /// `literals` are sizes worth trying, `properties` the names of what may be asked. Refers to the
  /// contract.
  Mutator(const kernels::Contract& contract, std::vector<std::int64_t> literals,
          std::vector<std::string> properties);

  /// The parent changed in one to a few fields, some of them perhaps to the donor's values: inside
  /// the domain, normalized, no dearer than the generator's cases. Empty where that fails.
  [[nodiscard]] std::optional<Case> mutated(const Case& parent, const Case& donor,
                                            Random& random) const;

  /// The case with one extent changed to each literal and by one, in an order that does not depend
  /// on chance. All are asked the first of the properties: others may hold an extent fast.
  [[nodiscard]] std::vector<Case> neighbours(const Case& parent) const;

 private:
  void change(Case& problem, const Case& donor, Random& random) const;
  void change_extent(Case& problem, Random& random) const;
  void change_lines(Case& problem, Random& random) const;
  void change_offset(Case& problem, Random& random) const;
  void change_factor(Case& problem, Random& random) const;
  void change_shape(Case& problem, Random& random) const;
  void change_question(Case& problem, Random& random) const;
  void take_from(Case& problem, const Case& donor, Random& random) const;
  [[nodiscard]] std::optional<Case> inside(Case problem, double work) const;
  [[nodiscard]] bool affordable(const Case& problem, double work) const;

  const kernels::Contract& contract_;
  Solver solver_;
  Tiles tiles_;
  std::vector<std::int64_t> literals_;
  std::vector<std::string> properties_;
  std::vector<Recipe> recipes_;
  double least_work_ = 0.0;  // that a mutant may take: a few tiles
};

}  // namespace warpcheck::properties

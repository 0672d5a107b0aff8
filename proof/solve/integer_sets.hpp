// Decides whether sets of integer points cover a box, with isl. The sets are those that linear
// inequalities describe, with divisions by numbers and choices.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proof/poly/terms.hpp"
#include "proof/solve/solver.hpp"

namespace warpcheck::proof {

/// A box of points for each value of the symbols that satisfies the conditions: those from
/// indices[i] to indices[i] + counts[i] - 1 along dimension i.
struct Image {
  std::vector<Polynomial> indices;
  std::vector<Polynomial> counts;
  std::vector<Formula> conditions = {};
};

class IntegerSets {
 public:
  /// `iterations`: the symbols of iterations that occur for each number up to their last one.
  IntegerSets(const Terms& terms, std::set<SymbolId> iterations)
      : terms_(terms), iterations_(std::move(iterations)) {}

  /// False: the build had no isl. Every answer is then `unknown`.
  [[nodiscard]] static bool is_available();
  [[nodiscard]] static std::string version();

  /// True if the value, or the formula, is linear in symbols whose values are exact: no product, no
  /// address, nothing from memory.
  [[nodiscard]] bool is_linear(const Polynomial& value) const;
  [[nodiscard]] bool is_linear(Formula formula) const;

  /// Decides if a point of `all` is in none of the images. If one is, the model has the sizes of a
  /// small case. `conditions` hold for the sizes. The sets have the values of `fixed` in common,
  /// and those of sizes.
  [[nodiscard]] Solver::Search uncovered(const Image& all, const std::vector<Image>& images,
                                         const std::vector<Formula>& conditions,
                                         const std::set<SymbolId>& fixed = {}) const;

 private:
  const Terms& terms_;
  std::set<SymbolId> iterations_;
};

}  // namespace warpcheck::proof

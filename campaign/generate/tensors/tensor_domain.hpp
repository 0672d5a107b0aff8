// The domain of a contract of an operation of the language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/constraints/domain_rules.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

inline constexpr std::int64_t kMostTensorLandmark = 8192;

class TensorDomain {
 public:
  /// Refers to the contract. Excludes grids beyond the limit of a launch along axes that `requires`
  /// does not mention, unless `any_grid`.
  explicit TensorDomain(const contract::Contract& contract, bool any_grid = false);

  /// Numbers of the contract from 2 on, ascending: sizes at which the kernel may act differently.
  [[nodiscard]] const std::vector<std::int64_t>& landmarks() const { return landmarks_; }

  /// Changes one field after the other to the nearest value with which fewer conditions are
  /// violated, the extent `last` after the others. The result is normalized and in the domain.
  /// Empty if the search finds no such case.
  [[nodiscard]] std::optional<Case> nearest(Case problem, const std::string& last = {}) const;

  /// A case with extents as equal as the domain allows, of about `work` steps at most; empty if the
  /// search finds none.
  [[nodiscard]] std::optional<Case> even_case(double work) const;

  /// True if the case takes at most `budget` steps, and little memory.
  [[nodiscard]] bool is_affordable(const Case& problem, double budget) const;

 private:
  std::int64_t improve(Case& problem, const std::string& name, std::int64_t least) const;
  [[nodiscard]] std::int64_t violations(const Case& problem) const;
  [[nodiscard]] std::vector<std::int64_t> candidates(std::int64_t value) const;

  const contract::Contract& contract_;
  std::vector<std::int64_t> landmarks_;
  std::vector<std::int64_t> large_literals_;  // numbers of `requires`, which may fix an extent
  std::vector<GridAxis> limited_axes_;        // axes of the grid that `requires` does not limit
};

}  // namespace warpcheck::campaign::generate

// Cases for the launches of a contract that have a condition, `when`.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Throws InputError, located at the first `when`, if the declared domain has a case for which no
/// launch with the output applies: `when` of the launches leaves it out, but `requires` admits it.
void require_launches(const contract::Contract& contract);

/// Changes some of the cases so that each launch applies to some of them. Random sizes rarely meet
/// a condition such as m % 128 == 0 and n > 1000.
class LaunchCases {
 public:
  explicit LaunchCases(const contract::Contract& contract);

  /// Returns a case near `target` to which the launch applies whose turn it is; empty if it is the
  /// turn of none, if it applies to the target, or if no such case is affordable.
  [[nodiscard]] std::optional<Case> near(
      std::size_t index, const Case& target,
      const std::function<bool(const Case&)>& is_affordable) const;

 private:
  /// The domain in which a launch applies.
  struct Domain {
    explicit Domain(contract::Contract narrowed)
        : contract(std::move(narrowed)), solver(contract) {}
    contract::Contract contract;
    Solver solver;
  };
  std::vector<std::unique_ptr<Domain>> domains_;
};

}  // namespace warpcheck::campaign::generate

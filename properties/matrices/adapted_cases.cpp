#include "properties/checks/adapted_cases.hpp"

#include "properties/checks/property_checks.hpp"

namespace warpcheck::properties::checks {

using contract::Contract;

Case without_beta(const Contract& contract, const Case& problem) {
  Case changed = repeatable(contract, problem);
  changed.beta = 0.0;
  return changed;
}

Case without_alpha(const Contract& contract, const Case& problem) {
  Case changed = repeatable(contract, problem);
  changed.alpha = 0.0;
  return changed;
}

Case without_k(const Contract&, const Case& problem) {
  Case changed = problem;
  changed.k = 0;
  return changed;
}

Case scalable(const Contract& contract, const Case& problem) {
  Case changed = without_beta(contract, problem);
  const bool wide_range =
      contract.deterministic && size_of(contract.type_a) >= 4 && size_of(contract.type_b) >= 4;
  if (!wide_range) {
    changed.data = Recipe::lattice;
  } else if (changed.data != Recipe::lattice) {
    changed.data = Recipe::normal;
  }
  return changed;
}

Case one_hot(const Contract&, const Case& problem) {
  Case changed = problem;
  changed.data = Recipe::onehot;
  return changed;
}

Case one_product(const Contract&, const Case& problem) {
  Case changed = problem;
  changed.data = Recipe::normal;
  changed.alpha = changed.seed % 2 == 0 ? 1.0 : 1.7;
  changed.beta = 0.0;
  return changed;
}

Case two_products(const Contract& contract, const Case& problem) {
  Case changed = one_product(contract, problem);
  changed.alpha = 1.0;
  return changed;
}

}  // namespace warpcheck::properties::checks

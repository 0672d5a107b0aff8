#include "workflows/profile/cases.hpp"

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "properties/generate/case_source.hpp"
#include "properties/generate/sampling/solver.hpp"
#include "properties/generate/tensors/tensor_domain.hpp"

namespace warpcheck::workflows::profile {

using properties::Case;

Case case_near(const contract::Contract& contract, std::int64_t m, std::int64_t n, std::int64_t k) {
  Case target;
  target.variant = contract.name;
  target.m = m;
  target.n = n;
  target.k = k;
  const auto nearest = properties::generate::Solver(contract).project(target);
  if (nearest) return *nearest;
  throw InputError(
      Diagnostic{contract.where,
                 fmt::format("found no case near m={} n={} k={} in the contract's domain: give one "
                             "with --case",
                             m, n, k),
                 {}});
}

Case even_case(const contract::Contract& contract) {
  constexpr double kWork = 0x1p19;  // steps of the operation
  if (const auto found = properties::generate::TensorDomain(contract).even_case(kWork)) {
    return *found;
  }
  throw InputError(
      Diagnostic{contract.where,
                 "found no case of about equal extents in the domain: give one with --case",
                 {}});
}

std::vector<Case> generated_cases(const contract::Variant& variant, std::uint64_t seed,
                                  std::int64_t count) {
  const auto generator = properties::generate::make_cases(variant, {seed});
  std::vector<Case> cases;
  for (std::int64_t i = 0; i < count; ++i) cases.push_back(generator->draw(i).problem);
  return cases;
}

}  // namespace warpcheck::workflows::profile

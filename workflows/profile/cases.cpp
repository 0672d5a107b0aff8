#include "workflows/profile/cases.hpp"

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/generate/generation_model.hpp"

namespace warpcheck::workflows::profile {

using campaign::Case;

Case case_near(const contract::Contract& contract, std::int64_t m, std::int64_t n, std::int64_t k,
               double steps) {
  Case target;
  target.variant = contract.name;
  target.m = m;
  target.n = n;
  target.k = k;
  const auto& model = campaign::model_of<campaign::generate::GenerationModel>(contract);
  if (const auto found = model.measured_case(contract, target, steps)) return *found;
  throw InputError(
      Diagnostic{contract.where,
                 fmt::format("found no case {} in the contract's domain: give one with --case",
                             model.target_text(target)),
                 {}});
}

std::vector<Case> generated_cases(const contract::Variant& variant, std::uint64_t seed,
                                  std::int64_t count) {
  const campaign::generate::CaseGenerator generator(variant, {seed});
  std::vector<Case> cases;
  for (std::int64_t i = 0; i < count; ++i) cases.push_back(generator.draw(i).problem);
  return cases;
}

}  // namespace warpcheck::workflows::profile

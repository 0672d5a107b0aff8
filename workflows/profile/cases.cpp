#include "workflows/profile/cases.hpp"

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/generate/measured_case.hpp"

namespace warpcheck::workflows::profile {

using campaign::Case;

Case case_near(const contract::Contract& contract, std::int64_t m, std::int64_t n, std::int64_t k,
               double steps) {
  using namespace campaign::generate;
  const std::vector<campaign::NamedValue> sizes = {
      {"m", static_cast<double>(m)}, {"n", static_cast<double>(n)}, {"k", static_cast<double>(k)}};
  if (const auto found = measured_case(contract, sizes, {8.0 * steps, steps})) return *found;
  throw InputError(
      Diagnostic{contract.where,
                 fmt::format("found no case {} in the contract's domain: give one with --case",
                             measured_text(contract, sizes)),
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

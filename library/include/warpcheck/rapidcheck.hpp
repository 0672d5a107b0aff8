// Generators of cases for properties of your own with RapidCheck:
//
//   warpcheck::Contract contract("scale.cu");
//   rc::check("scale passes", [&] {
//     const warpcheck::Case problem = *warpcheck::cases_of(contract);
//     const warpcheck::Result result = contract.run_case(problem.line);
//     RC_PRE(!result.mistrusted());
//     RC_ASSERT(result.passed());
//   });
//
// RC_ASSERT prints the finding. RC_PRE discards a case whose data could not have exposed a defect.
// A counterexample shrinks as in a campaign, and no case is outside of the domain of the contract.
#ifndef WARPCHECK_RAPIDCHECK_HPP
#define WARPCHECK_RAPIDCHECK_HPP

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "warpcheck/warpcheck.hpp"

namespace warpcheck {

/// RapidCheck prints a counterexample with it.
inline void showValue(const Case& problem, std::ostream& to) { to << problem.line; }

/// RC_ASSERT(result.passed()) prints the findings with it.
inline void showValue(const Passed& passed, std::ostream& to) {
  to << (passed ? "true" : "false:\n" + passed.text);
}

/// The case, and the simpler cases of the domain, computed when RapidCheck needs them. The contract
/// must outlive it.
inline rc::Shrinkable<Case> shrinkable_case(Contract& contract, Case problem) {
  const auto simpler = [&contract, problem] {
    std::vector<rc::Shrinkable<Case>> all;
    for (Case& one : contract.simpler_cases(problem)) {
      all.push_back(shrinkable_case(contract, std::move(one)));
    }
    return rc::seq::fromContainer(std::move(all));
  };
  return rc::shrinkable::lambda([problem] { return problem; }, simpler);
}

/// Any case of a variant; those of a campaign have the same kinds of sizes and strides. The size of
/// RapidCheck has no effect. The contract must outlive the generator. A domain without cases and an
/// unknown variant are failures of the property, with the text of the ContractError.
inline rc::Gen<Case> cases_of(Contract& contract, std::string variant) {
  return [&contract, variant = std::move(variant)](const rc::Random& random, int) {
    constexpr std::uint64_t kIndices = std::uint64_t{1} << 32;
    rc::Random bits = random;
    const auto index = static_cast<std::int64_t>(bits.next() % kIndices);
    return shrinkable_case(contract, contract.generate_case(variant, 0, index));
  };
}

/// Any case of any variant of the contract.
inline rc::Gen<Case> cases_of(Contract& contract) {
  return rc::gen::mapcat(rc::gen::elementOf(contract.variants()), [&contract](std::string variant) {
    return cases_of(contract, std::move(variant));
  });
}

}  // namespace warpcheck

#endif

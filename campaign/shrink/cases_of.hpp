// The cases of a contract, generated and shrunk as in a campaign, for properties with RapidCheck.
#pragma once

#include <rapidcheck/Gen.h>

#include <ostream>

#include "campaign/case/case.hpp"
#include "campaign/generate/cases.hpp"
#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::shrink {

/// Generates any case of a contract; the size of RapidCheck has no effect. Refers to the contract.
/// Throws as CaseGenerator does.
[[nodiscard]] rc::Gen<Case> cases_of(const contract::Contract& contract,
                                     const generate::CaseOptions& options = {});

/// Generates cases at the numbers of the variant's PTX, too. Refers to the variant.
[[nodiscard]] rc::Gen<Case> cases_of(const contract::Variant& variant,
                                     const generate::CaseOptions& options = {});

}  // namespace warpcheck::campaign::shrink

namespace warpcheck::campaign {

/// RapidCheck prints the case line of a counterexample with it.
void showValue(const Case& problem, std::ostream& to);

}  // namespace warpcheck::campaign

// The requirement of `prove` that each property is proved or refuted.
#pragma once

#include <span>
#include <string_view>

#include "report/requirement.hpp"
#include "workflows/prove/prove.hpp"

namespace warpcheck::report {

inline constexpr std::string_view kProofRequirement = "proof";

/// One for each variant; undecided if a property is unknown.
void add_proof_requirements(std::span<const workflows::prove::VariantResult> results,
                            Requirements& requirements);

}  // namespace warpcheck::report

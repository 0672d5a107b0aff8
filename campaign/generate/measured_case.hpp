// Cases of a certain size, to measure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns a case of random data with extents as equal as the domain allows, which costs at most
/// so much before its projection onto the domain; empty if the search finds none.
[[nodiscard]] std::optional<Case> even_case(const Solver& solver, const Cost& most);

/// Returns the case of the domain that is nearest to the sizes, if these are the extents of the
/// operation; otherwise an even case. Empty if the search finds none.
[[nodiscard]] std::optional<Case> measured_case(const contract::Contract& contract,
                                                const std::vector<NamedValue>& sizes,
                                                const Cost& most);

/// Describes the target of that search: "near m=8 n=8 k=8", "of about equal extents".
[[nodiscard]] std::string measured_text(const contract::Contract& contract,
                                        const std::vector<NamedValue>& sizes);

}  // namespace warpcheck::campaign::generate

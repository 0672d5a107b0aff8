// Derives the conditional branches of the source from those of the PTX.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "campaign/coverage/source_coverage.hpp"
#include "campaign/coverage/source_places.hpp"
#include "device/coverage.hpp"

namespace warpcheck::campaign::coverage {

/// File, line, column and arm.
using BranchKey = std::tuple<std::string, unsigned, unsigned, unsigned>;
using SourceBranches = std::map<BranchKey, BranchCoverage>;

/// The guarded instructions that are no branches with edges, and how often each guard was true and
/// false.
using Guards = std::map<std::uint32_t, device::CoveredCondition>;
[[nodiscard]] Guards guards_of(const Places& places, const device::Coverage& covered);

/// Merges the copies of a branch. The compiler copies a branch for each place where it inlines the
/// function. An unrolled loop has a branch before it that may skip it, one at its end that leads
/// back, and both again for the remaining iterations. Copies have the same line and column, except
/// for the branch that may skip the remaining iterations: it has the place of a statement of the
/// loop and is recognized because it leads past a loop that contains this place.
[[nodiscard]] SourceBranches source_branches(const Places& places, const Guards& guards,
                                             const device::Coverage& covered);

}  // namespace warpcheck::campaign::coverage

// The conditional branches of a program's source, from those of its PTX.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "device/coverage.hpp"
#include "device/finding.hpp"
#include "properties/coverage/source_coverage.hpp"

namespace warpcheck::properties::coverage {

/// The instructions that count, by their number.
using Places = std::map<std::uint32_t, SourcePlace>;

/// By file, line, column and arm.
using BranchKey = std::tuple<std::string, unsigned, unsigned, unsigned>;
using SourceBranches = std::map<BranchKey, BranchCoverage>;

/// Whether the instruction stands behind a guard that its text tells, and is no branch that its
/// edges tell: how often the guard held and failed.
using Guards = std::map<std::uint32_t, device::CoveredCondition>;
[[nodiscard]] Guards guards_of(const Places& places, const device::Coverage& covered);

/// The compiler makes several branches of one: for each place where a function is inlined, and of a
/// loop that it unrolls, one before it that may skip it, one at its end that leads back, and both
/// again for the rest of the passes. Copies share the source's line and column, but for the branch
/// that may skip the rest: that has the place of a statement of the loop, and is told by leading
/// past a loop which has that place in it.
[[nodiscard]] SourceBranches source_branches(const Places& places, const Guards& guards,
                                             const device::Coverage& covered);

}  // namespace warpcheck::properties::coverage

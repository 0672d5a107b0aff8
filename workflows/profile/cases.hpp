// The cases that a profile counts.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::workflows::profile {

/// Returns the case of m x n x k, or the nearest case in the contract's domain. An operation of the
/// language has extents that are about equal and needs about `steps` steps. Throws InputError if
/// the search finds none.
[[nodiscard]] campaign::Case case_near(const contract::Contract& contract, std::int64_t m,
                                       std::int64_t n, std::int64_t k, double steps = 0x1p19);

/// The first `count` cases that `check` generates from this seed.
[[nodiscard]] std::vector<campaign::Case> generated_cases(const contract::Variant& variant,
                                                          std::uint64_t seed, std::int64_t count);

}  // namespace warpcheck::workflows::profile

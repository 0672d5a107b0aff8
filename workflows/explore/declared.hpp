// Compares the domain that a contract declares with the one in which the kernel is correct.
#pragma once

#include <cstdint>
#include <vector>

#include "workflows/explore/exploration.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore {

/// Returns generated cases of the declared domain; empty if it declares none or the generator finds
/// no case.
[[nodiscard]] std::vector<campaign::Case> cases_of_declared(const contract::Contract& declared,
                                                            std::uint64_t seed,
                                                            std::int64_t max_size);

/// `is_found`: the kernel is correct where `conditions` hold.
[[nodiscard]] DeclaredDomain compare(const contract::Contract& declared, const Examples& examples,
                                     const Conjunction& conditions, bool is_found);

}  // namespace warpcheck::workflows::explore

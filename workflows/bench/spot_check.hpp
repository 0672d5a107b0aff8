// Checks the outputs of a launch: a product at some of its rows and columns, which may be many.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "campaign/run/problem.hpp"

namespace warpcheck::workflows::bench {

/// Compares the elements where 24 rows and 24 columns meet, the first and the last ones among them,
/// with the reference, each within the bound of its K products. `d`: the bytes of the output's
/// buffer. Returns the first wrong element and its value; empty if there is none.
[[nodiscard]] std::string spot_check(const campaign::run::Problem& problem,
                                     std::span<const std::byte> d);

/// spot_check() of a product; otherwise compares all elements of all outputs with the reference.
/// `read` returns the bytes of a buffer of the job.
[[nodiscard]] std::string wrong_element(
    const campaign::run::Problem& problem,
    const std::function<std::vector<std::byte>(std::size_t buffer)>& read);

}  // namespace warpcheck::workflows::bench

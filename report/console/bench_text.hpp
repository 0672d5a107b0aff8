// Measured speeds as a table for the console.
#pragma once

#include <string>

#include "workflows/bench/result.hpp"

namespace warpcheck::report {

/// The head of the table, for rows as wide as `widest`, the longest name of a variant.
[[nodiscard]] std::string bench_head(std::size_t widest);
[[nodiscard]] std::string bench_row(const workflows::bench::Result& result, std::size_t widest);

}  // namespace warpcheck::report

// Measured speeds as a picture.
#pragma once

#include <string>

#include "workflows/bench/result.hpp"

namespace warpcheck::report {

/// Returns an SVG document: a bar for each result that was timed in turn with cuBLAS, its share of
/// cuBLAS, in the order of the results, grouped by size.
[[nodiscard]] std::string bench_plot(const workflows::bench::Results& results);

}  // namespace warpcheck::report

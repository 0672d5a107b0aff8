// The "bench" event of the JSON output.
#pragma once

#include <string>

#include "workflows/bench/result.hpp"

namespace warpcheck::report {

/// One line of JSON, without the line feed. Times in seconds, rates in operations per second.
[[nodiscard]] std::string bench_json(const workflows::bench::Result& result);

}  // namespace warpcheck::report

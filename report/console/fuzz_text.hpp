// A search as a person follows it.
#pragma once

#include <string>

#include "workflows/fuzz/fuzzer.hpp"

namespace warpcheck::report {

/// The line that lives while it runs: time, cases, cases a second, corpus, edges, findings, the
/// largest error over its bound.
[[nodiscard]] std::string fuzz_line(const workflows::fuzz::FuzzProgress& progress);

/// The lines that stay. They end with a line feed.
[[nodiscard]] std::string fuzz_summary(const workflows::fuzz::FuzzReport& report);

}  // namespace warpcheck::report

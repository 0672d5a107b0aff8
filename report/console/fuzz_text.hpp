// Console output of `fuzz`.
#pragma once

#include <string>

#include "workflows/fuzz/fuzzer.hpp"

namespace warpcheck::report {

/// The progress line without times: cases, cases per second, corpus, edges, findings, the largest
/// error over its bound.
[[nodiscard]] std::string fuzz_line(const workflows::fuzz::FuzzProgress& progress);

/// The lines printed at the end of a search. Each ends with a line feed.
[[nodiscard]] std::string fuzz_summary(const workflows::fuzz::FuzzReport& report);

}  // namespace warpcheck::report

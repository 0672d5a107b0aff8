// Runs the check of case_line.cpp with a bug planted in the printer. It must fail, and libFuzzer
// must find the lines on which it does: a check that passes here detects nothing elsewhere.
#include <string>

#include "fuzz/case_line_check.hpp"
#include "fuzz/target.hpp"

namespace {

using warpcheck::campaign::Case;

/// Prints a case without the offset of a transposed B.
std::string wrong_line(const Case& problem) {
  Case printed = problem;
  if (problem.number("tb") != 0.0) printed.set_value("off_b", 0.0);
  return warpcheck::campaign::to_line(printed);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(
      warpcheck::fuzz::check_case_lines(warpcheck::fuzz::text_of(data, size), wrong_line));
  return 0;
}

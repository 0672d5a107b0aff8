#include "fuzz/case_line_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fuzz/target.hpp"

namespace warpcheck::fuzz {
namespace {

using campaign::Case;

/// Replaces NaN, which is not equal to itself, by a number that no other case line has.
Case comparable(Case problem) {
  constexpr double kNan = 0x1.23456789abcdep-1000;
  for (campaign::NamedValue& field : problem.values) {
    if (std::isnan(field.value)) field.value = kNan;
  }
  return problem;
}

void check_place(const Diagnostic& error, std::string_view text) {
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  if (error.message.empty()) fail("an error of a case line has no message");
  if (error.where.line == 0 || error.where.line > lines) {
    fail(fmt::format("an error on line {} of {}: {}", error.where.line, lines, error.message));
  }
  if (error.where.column == 0 || error.where.column > error.excerpt.size() + 1) {
    fail(fmt::format("an error in column {} of '{}': {}", error.where.column, error.excerpt,
                     error.message));
  }
}

}  // namespace

std::vector<Case> check_case_lines(std::string_view text, CasePrinter print) {
  std::vector<Case> cases;
  try {
    cases = campaign::parse_cases(text, "input");
  } catch (const InputError& error) {
    if (error.diagnostics().empty()) fail("an InputError has no error");
    for (const Diagnostic& diagnostic : error.diagnostics()) check_place(diagnostic, text);
    return {};
  }
  for (const Case& problem : cases) {
    const std::string line = print(problem);
    const Case again = campaign::parse_case(line, "printed");
    if (comparable(again) != comparable(problem) || print(again) != line) {
      fail(fmt::format("printed as\n  {}\nand read back as\n  {}", line, print(again)));
    }
  }
  return cases;
}

}  // namespace warpcheck::fuzz

#include "report/finding/worst_elements.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/shown_number.hpp"

namespace warpcheck::report {
namespace {

using campaign::judge::WrongElement;

std::string three_digits(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : std::string("-");
}

}  // namespace

std::vector<ElementRow> worst_elements(const std::vector<WrongElement>& worst) {
  std::vector<ElementRow> rows;
  for (const WrongElement& element : worst) {
    // Nine digits distinguish any two numbers of 32 bits.
    std::string got = fmt::format("{:.9g}", shown(element.got));
    std::string expected = fmt::format("{:.9g}", shown(element.expected));
    if (got == expected) {
      got = fmt::format("{}", shown(element.got));
      expected = fmt::format("{}", shown(element.expected));
    }
    rows.push_back({element.name, got, expected, three_digits(element.difference()),
                    element.tolerance == 0.0 ? "exact" : fmt::format("{:.3g}", element.tolerance),
                    three_digits(element.error_over_bound())});
  }
  return rows;
}

}  // namespace warpcheck::report

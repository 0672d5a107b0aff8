// Calendar dates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace warpcheck::workflows::gate {

struct Date {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;

  friend bool operator==(const Date&, const Date&) = default;
  friend bool operator<(const Date& one, const Date& other) {
    return std::tie(one.year, one.month, one.day) < std::tie(other.year, other.month, other.day);
  }
};

/// Parses a date such as "2026-12-31"; empty if the text is not a date.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);
[[nodiscard]] std::string to_text(const Date& date);

/// Returns the current date in the local time zone.
[[nodiscard]] Date today();

}  // namespace warpcheck::workflows::gate

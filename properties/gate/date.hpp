// A day of the calendar.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck::properties {

struct Date {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;

  friend auto operator<=>(const Date&, const Date&) = default;
};

/// "2026-12-31"; nothing where the text is no day.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);
[[nodiscard]] std::string to_text(const Date& date);

/// By the system's clock, in its time zone.
[[nodiscard]] Date today();

}  // namespace warpcheck::properties

#include "workflows/gate/date.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <ctime>

namespace warpcheck::workflows::gate {
namespace {

std::optional<unsigned> digits(std::string_view text) {
  unsigned value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits(text.substr(0, 4));
  const auto month = digits(text.substr(5, 2));
  const auto day = digits(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return Date{static_cast<int>(*year), *month, *day};
}

std::string to_text(const Date& date) {
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

Date today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return {local.tm_year + 1900, static_cast<unsigned>(local.tm_mon) + 1,
          static_cast<unsigned>(local.tm_mday)};
}

}  // namespace warpcheck::workflows::gate

#include "cli/options/duration.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace warpcheck::cli {

std::optional<double> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
      {{"", 1.0}, {"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}}};
  double number = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || !std::isfinite(number) || !(number > 0.0)) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  for (const auto& [name, seconds] : kUnits) {
    if (unit == name) return number * seconds;
  }
  return std::nullopt;
}

}  // namespace warpcheck::cli

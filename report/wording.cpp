#include "report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace warpcheck::report {

std::string counted(std::int64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

/// The nudge undoes the rounding of 0.29 * 100.
std::string percent(std::optional<double> share) {
  if (!share) return "-";
  return *share > 0.0 && *share < 0.01 ? "< 1 %"
                                       : fmt::format("{:.0f} %", std::floor(*share * 100 + 1e-9));
}

std::string printable(std::string_view text, bool lines) {
  std::string clean(text);
  const auto is_control = [lines](char c) {
    return c != '\t' && !(lines && c == '\n') &&
           (static_cast<unsigned char>(c) < 0x20 || c == '\x7f');
  };
  std::replace_if(clean.begin(), clean.end(), is_control, '?');
  return clean;
}

std::string utf8(std::string_view text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}

}  // namespace warpcheck::report

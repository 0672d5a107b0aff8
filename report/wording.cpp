#include "report/wording.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "campaign/case/product.hpp"
#include "report/path.hpp"

namespace warpcheck::report {

std::string counted(std::int64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string file_list(const std::vector<std::string>& files) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < files.size() && i < kMost; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", printable(shown_path(files[i])));
  }
  if (files.size() > kMost) text += fmt::format(" and {} more", files.size() - kMost);
  return text;
}

std::string percent(std::optional<double> share) {
  if (!share) return "-";
  // 0.29 * 100 is below 29; 1e-9 compensates for the rounding.
  return *share > 0.0 && *share < 0.01 ? "< 1 %"
                                       : fmt::format("{:.0f} %", std::floor(*share * 100 + 1e-9));
}

std::string utf8(std::string_view text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}

std::string place_text(const SourcePlace& source) {
  return source.line == 0 ? fmt::format("PTX line {}", source.ptx_line)
                          : fmt::format("{}:{}", shown_path(source.file), source.line);
}

std::string property_text(const campaign::FindingReport& report) {
  for (const properties::Law& law : properties::laws()) {
    if (law.name != report.property) continue;
    const bool has_words =
        campaign::has_definition(report.smallest) && !law.sentence_for_operations.empty();
    return fmt::format("{}: {}", law.name, has_words ? law.sentence_for_operations : law.sentence);
  }
  return report.property;
}

std::string stopped_text(std::int64_t cases) {
  return cases == 0 ? std::string() : counted(cases, "case") + " stopped by the time limit";
}

}  // namespace warpcheck::report

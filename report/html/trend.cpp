#include "report/html/trend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/html/markup.hpp"

namespace warpcheck::report::html {
namespace {

using workflows::history::TrendPoint;

/// Position from 0 to 1 of an error on a logarithmic axis that starts at 10^-4; 0.8 is the bound.
double axis_position(double error) {
  if (!(error > 0.0)) return 0.0;
  return std::clamp((std::log10(std::min(error, 100.0)) + 4.0) / 5.0, 0.03, 1.0);
}

std::string error_cell(const TrendPoint& point) {
  if (!point.error_over_bound) return "<td>";
  const double error = *point.error_over_bound;
  return fmt::format(
      "<td class=share data-label=\"Largest error over bound\"><svg width=120 height=8 "
      "aria-hidden=true><rect class=track width=120 "
      "height=8 "
      "/><rect class={} width={:.0f} height=8 /><path class=axis d=\"M96 0v8\" /></svg> {}",
      error > 1.0 ? "bad" : "bar", 120 * axis_position(error), short_number(error));
}

std::string trend_row(const TrendPoint& point, bool newer_source) {
  return fmt::format("<tr><th scope=row>{}{}{}{}{}\n", escaped(point.started),
                     cell("Verdict", escaped(point.verdict), escaped(point.verdict)),
                     cell("Cases", grouped(point.cases), "number"), error_cell(point),
                     cell("Source", newer_source ? "changed" : ""));
}

}  // namespace

std::string trend_table(const ReportContext& context, const campaign::VariantReport& variant) {
  const auto found = context.trend.find(variant.variant);
  if (found == context.trend.end() || found->second.size() < 2) return "";
  const std::vector<TrendPoint>& points = found->second;
  std::string rows;
  for (std::size_t i = points.size(); i-- > 0;) {
    rows += trend_row(points[i], i > 0 && points[i].source_hash != points[i - 1].source_hash);
  }
  return fmt::format(
      "<h4>Campaigns</h4><div class=scroll role=region tabindex=0 aria-label=\"Campaigns of {}\">"
      "<table class=trend><thead><tr><th scope=col>Started, UTC<th scope=col>Verdict<th scope=col "
      "class=number>Cases<th scope=col>Largest error over bound (line: 1)<th scope=col>Source"
      "</thead><tbody>\n{}</tbody></table></div>\n",
      escaped(variant.variant), rows);
}

}  // namespace warpcheck::report::html

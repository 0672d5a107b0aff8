#include "report/html/past.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/html/markup.hpp"

namespace warpcheck::report::html {
namespace {

using workflows::history::TrendPoint;

/// The error on a logarithmic axis from 10^-4 to the bound and beyond, 0 to 1 in height.
double height(double error) {
  if (!(error > 0.0)) return 0.0;
  return std::clamp((std::log10(std::min(error, 100.0)) + 4.0) / 5.0, 0.03, 1.0);
}

std::string error_cell(const TrendPoint& past) {
  if (!past.error_over_bound) return "<td>";
  const double error = *past.error_over_bound;
  return fmt::format(
      "<td class=share><svg width=120 height=8 aria-hidden=true><rect class=track width=120 "
      "height=8 "
      "/><rect class={} width={:.0f} height=8 /><path class=axis d=\"M96 0v8\" /></svg> {}",
      error > 1.0 ? "bad" : "bar", 120 * height(error), short_number(error));
}

std::string row(const TrendPoint& past, bool newer_source) {
  return fmt::format("<tr><th scope=row>{}<td class={}>{}<td class=number>{}{}<td>{}\n",
                     escaped(past.started), escaped(past.verdict), escaped(past.verdict),
                     grouped(past.cases), error_cell(past), newer_source ? "changed" : "");
}

}  // namespace

std::string past_table(const ReportContext& told,
                       const properties::campaign::VariantReport& variant) {
  const auto found = told.pasts.find(variant.variant);
  if (found == told.pasts.end() || found->second.size() < 2) return "";
  const std::vector<TrendPoint>& pasts = found->second;
  std::string rows;
  for (std::size_t i = pasts.size(); i-- > 0;) {
    rows += row(pasts[i], i > 0 && pasts[i].source_hash != pasts[i - 1].source_hash);
  }
  return fmt::format(
      "<h4>Campaigns</h4><div class=scroll role=region tabindex=0 aria-label=\"Campaigns of {}\">"
      "<table class=past><thead><tr><th scope=col>Began, UTC<th scope=col>Verdict<th scope=col "
      "class=number>Cases<th scope=col>Largest error over bound (the line: 1)<th scope=col>Source"
      "</thead><tbody>\n{}</tbody></table></div>\n",
      escaped(variant.variant), rows);
}

}  // namespace warpcheck::report::html

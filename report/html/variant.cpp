#include "report/html/variant.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "report/console/failure_block.hpp"
#include "report/html/bars.hpp"
#include "report/html/coverage.hpp"
#include "report/html/headline.hpp"
#include "report/html/markup.hpp"
#include "report/html/past.hpp"
#include "report/html/source.hpp"
#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

using properties::campaign::FindingReport;
using properties::campaign::Histogram;
using properties::campaign::kErrorEdges;
using properties::campaign::VariantReport;

std::string power_plot(const Histogram& spread) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < spread.sensitivity.size(); ++i) {
    bars.push_back({fmt::format("{}", 10 * i), spread.sensitivity[i], false});
  }
  return bar_chart("Cases by power, in percent from", bars);
}

std::string error_plot(const Histogram& spread) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < spread.error.size(); ++i) {
    std::string name = fmt::format("{:.1g}", kErrorEdges[i]);
    if (i == 0) name = "0";
    if (i + 2 == spread.error.size()) name = "more";
    if (i + 1 == spread.error.size()) name = "inf";
    bars.push_back({std::move(name), spread.error[i], i + 2 >= spread.error.size()});
  }
  return bar_chart("Cases by their largest error over its bound, up to", bars);
}

bool is_empty(const Histogram& spread) {
  return std::accumulate(spread.error.begin(), spread.error.end(), std::int64_t{0}) == 0;
}

std::string plots(const Histogram& spread) {
  if (is_empty(spread)) return "";
  return fmt::format("<div class=plots>{}{}</div>", power_plot(spread), error_plot(spread));
}

/// The files in which its findings lie, or whose execution was counted, each once and whole.
std::string sources(const ReportContext& told, const VariantReport& variant,
                    std::size_t first_finding) {
  std::map<std::string, Marks> files;
  for (const FindingReport& report : variant.findings) {
    const Finding& finding = report.finding;
    const auto mark = [&](const SourcePlace& place) {
      if (place.line == 0) return;
      std::string& note = files[place.file][place.line];
      const std::string text = fmt::format("finding {}: {}", first_finding, name(finding.kind));
      if (note.find(text) == std::string::npos) note += (note.empty() ? "" : "; ") + text;
    };
    mark(finding.source);
    if (finding.other) mark(finding.other->source);
    ++first_finding;
  }
  if (variant.coverage) {
    for (const properties::coverage::FileCoverage& covered : variant.coverage->files)
      files[covered.file];
  }
  std::string text = coverage_sentence(variant);
  for (const auto& [file, marks] : files) {
    const Lines lines = source_lines(told, file);
    if (lines.text.empty()) continue;
    text += fmt::format(
        "<details><summary>Source of {}</summary>{}</details>\n",
        element("code", "", shown_path(file)),
        source_box("Source of " + shown_path(file), lines, marks, line_coverage(variant, file)));
  }
  return text;
}

std::string notes(const VariantReport& variant) {
  std::string items;
  for (const FindingReport& note : variant.notes) {
    items += fmt::format("<li>{}</li>", escaped(note_line(note)));
  }
  return items.empty() ? "" : fmt::format("<ul class=notes>{}</ul>", items);
}

std::string sentence(const VariantReport& variant) {
  std::string text = counted(variant.cases, "case");
  if (const auto asked = shares(variant).in_domain) {
    text += fmt::format("; the contract admits {} of the cases drawn", percent(asked));
  }
  if (!variant.acceptance.excluded_by.empty()) {
    text += fmt::format(", most others are excluded by {}", variant.acceptance.excluded_by);
  }
  if (variant.mistrusted != 0) {
    text += fmt::format("; {} could not have shown a defect", counted(variant.mistrusted, "case"));
  }
  return text + ".";
}

}  // namespace

std::string variant_section(const ReportContext& told, const VariantReport& variant,
                            std::size_t number, std::size_t first_finding) {
  return fmt::format(
      "<details class=variant id=variant-{}><summary>{} <h3>{}</h3></summary>"
      "\n<p>{}</p>\n{}{}{}{}</details>\n",
      number, verdict_label("span", variant), escaped(variant.variant), escaped(sentence(variant)),
      notes(variant), plots(variant.histogram), past_table(told, variant),
      sources(told, variant, first_finding));
}

}  // namespace warpcheck::report::html

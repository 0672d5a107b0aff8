#include "report/html/variant.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "report/failure_block.hpp"
#include "report/finding/message.hpp"
#include "report/html/bars.hpp"
#include "report/html/coverage.hpp"
#include "report/html/headline.hpp"
#include "report/html/markup.hpp"
#include "report/html/proofs.hpp"
#include "report/html/source.hpp"
#include "report/html/trend.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

using campaign::FindingReport;
using campaign::Histogram;
using campaign::kErrorEdges;
using campaign::VariantReport;

std::string sensitivity_plot(const Histogram& histogram) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < histogram.sensitivity.size(); ++i) {
    bars.push_back({fmt::format("{} %", 10 * i), histogram.sensitivity[i], false});
  }
  return bar_chart("Cases by sensitivity, in steps of 10 %", "case", bars);
}

std::string error_plot(const Histogram& histogram) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < histogram.error.size(); ++i) {
    std::string name = fmt::format("{:.1g}", kErrorEdges[i]);
    if (i == 0) name = "0";
    if (i + 2 == histogram.error.size()) name = "more";
    if (i + 1 == histogram.error.size()) name = "inf";
    bars.push_back({std::move(name), histogram.error[i], i + 2 >= histogram.error.size()});
  }
  return bar_chart("Cases by their largest error, in multiples of its bound, up to", "case", bars);
}

bool is_empty(const Histogram& histogram) {
  return std::accumulate(histogram.error.begin(), histogram.error.end(), std::int64_t{0}) == 0;
}

std::string plots(const Histogram& histogram) {
  if (is_empty(histogram)) return "";
  return fmt::format("<div class=plots>{}{}</div>", sensitivity_plot(histogram),
                     error_plot(histogram));
}

/// The files with findings and those whose coverage was counted, each once and complete.
std::string source_list(const ReportContext& context, const VariantReport& variant,
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
    for (const campaign::coverage::FileCoverage& covered : variant.coverage->files)
      files[covered.file];
  }
  std::string text = coverage_sentence(variant);
  for (const auto& [file, marks] : files) {
    const Lines lines = source_lines(context, file);
    if (lines.text.empty()) continue;
    text += fmt::format(
        "<details><summary>Source of {}</summary>{}</details>\n",
        element("code", "", source_name(file)),
        source_box("Source of " + source_name(file), lines, marks, line_coverage(variant, file)));
  }
  return text;
}

std::string note_list(const VariantReport& variant) {
  std::string items;
  for (const FindingReport& note : variant.notes) {
    items += fmt::format("<li>{}</li>", escaped(note_line(note)));
  }
  for (const campaign::UnsupportedForm& form : variant.unsupported) {
    if (form.is_program()) {
      items += fmt::format("<li>{}: {}</li>", escaped(unsupported_forms(variant.device, {form})),
                           escaped(reason_text(form.what)));
      continue;
    }
    items += fmt::format("<li>{}: {}; reached in {}, first in <code>{}</code></li>",
                         escaped(unsupported_forms(variant.device, {form})),
                         escaped(reason_text(form.what)), counted(form.cases, "case"),
                         escaped(to_line(form.problem)));
  }
  return items.empty() ? "" : fmt::format("<ul class=notes>{}</ul>", items);
}

/// The properties with the numbers of their cases; empty: not recorded.
std::string property_sentence(const VariantReport& variant) {
  std::string text;
  for (const campaign::CheckedProperty& one : variant.properties) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", element("code", "", one.name),
                        grouped(one.cases));
  }
  return text.empty() ? "" : "<p>Cases by property: " + text + ".</p>\n";
}

std::string case_sentence(const ReportContext& context, const VariantReport& variant) {
  std::string text = context.cases_text(variant.cases);
  if (variant.empty != 0) text += fmt::format(" and {} empty", variant.empty);
  if (variant.acceptance.generated != 0) {
    text += fmt::format("; before they were moved into the domain of the contract, {} were inside",
                        percent(variant.acceptance.share()));
  }
  if (!variant.acceptance.excluded_by.empty()) {
    text += fmt::format(", most others were excluded by {}", variant.acceptance.excluded_by);
  }
  if (variant.mistrusted != 0) {
    text += fmt::format("; the data of {} could not have exposed a defect",
                        counted(variant.mistrusted, "case"));
  }
  text += ".";
  if (const std::string reason = mistrust_text(variant); !reason.empty()) {
    text += " Mistrusted: " + reason + ".";
  }
  return text;
}

}  // namespace

std::string variant_section(const ReportContext& context, const VariantReport& variant,
                            std::size_t number, std::size_t first_finding) {
  return fmt::format(
      "<details class=variant id=variant-{}><summary>{} <h3>{}</h3></summary>"
      "\n<p>{}</p>\n{}{}{}{}{}{}</details>\n",
      number, verdict_label("span", variant), escaped(variant.variant),
      escaped(case_sentence(context, variant)), property_sentence(variant),
      proof_list(context, variant.variant), note_list(variant), plots(variant.histogram),
      trend_table(context, variant), source_list(context, variant, first_finding));
}

}  // namespace warpcheck::report::html

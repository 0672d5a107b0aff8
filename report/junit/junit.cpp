#include "report/junit/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "report/console/failure_block.hpp"
#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using properties::campaign::FindingReport;
using properties::campaign::VariantReport;
using properties::campaign::Verdict;

/// XML has no control characters, not even by number (XML 1.0, 2.2).
std::string xml_text(std::string_view text) { return utf8(printable(text, true)); }

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

/// The schema allows milliseconds and no more.
void set_time(pugi::xml_node node, double seconds) {
  set(node, "time", fmt::format("{:.3f}", seconds));
}

std::string place(const FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  if (source.file.empty()) return {};
  return source.line == 0 ? shown_path(source.file) + ": "
                          : fmt::format("{}:{}: ", shown_path(source.file), source.line);
}

/// Why it is neither passed nor failed; empty: it is one of these.
std::string skipped(const VariantReport& variant) {
  if (is_known(variant)) return "known: " + leading(variant).known;
  const bool none = variant.verdict == Verdict::pass && variant.cases == 0;
  return none ? "no case of it was asked" : "";
}

void add_failure(pugi::xml_node test, const VariantReport& variant, const ReportContext& told) {
  pugi::xml_node failure = test.append_child("failure");
  set(failure, "type", std::string(verdict(variant)));
  if (variant.findings.empty()) {
    set(failure, "message",
        fmt::format("mistrusted: {} passed, but none whose data could have shown a defect",
                    counted(variant.cases, "case")));
    return;
  }
  const FindingReport& first = leading(variant);
  std::string message =
      fmt::format("{}{}: {}", place(first), name(first.finding.kind), first.finding.message);
  if (variant.findings.size() > 1) {
    const auto more = static_cast<std::int64_t>(variant.findings.size()) - 1;
    message += fmt::format("; and {}", counted(more, "other finding"));
  }
  set(failure, "message", message);
  std::string text;
  for (const FindingReport& finding : variant.findings) {
    text += "\n" + failure_block(finding, told.replay_command(finding.smallest), Paint(false));
  }
  failure.text().set(xml_text(text).c_str());
}

/// What is told of a variant beside its verdict.
std::string remarks(const VariantReport& variant, const ReportContext& told) {
  const Shares measured = shares(variant);
  std::string text = counted(variant.cases, "case");
  if (measured.in_domain) text += ", asked " + percent(measured.in_domain);
  if (measured.sensitivity) text += ", power " + percent(measured.sensitivity);
  if (measured.pair_coverage) text += ", pairs " + percent(measured.pair_coverage);
  text += '\n';
  for (const FindingReport& note : variant.notes) text += note_line(note) + "\n";
  for (const workflows::history::Drift& drift : told.drifts) {
    if (drift.variant != variant.variant) continue;
    text += fmt::format("drift: error over bound {:.2g} -> {:.2g} typically, since {} UTC\n",
                        drift.before.typical, drift.now.typical, drift.since);
  }
  return text;
}

void add_test(pugi::xml_node suite, const VariantReport& variant, const ReportContext& told) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "name", variant.variant);
  set(test, "classname", "warpcheck." + variant.device);
  set_time(test, variant.seconds);
  if (const std::string reason = skipped(variant); !reason.empty()) {
    set(test.append_child("skipped"), "message", reason);
  } else if (variant.verdict != Verdict::pass) {
    add_failure(test, variant, told);
  }
  test.append_child("system-out").text().set(xml_text(remarks(variant, told)).c_str());
}

void set_sums(pugi::xml_node node, const properties::campaign::CampaignReport& totals) {
  const Sums all = sums(totals);
  set(node, "tests", fmt::format("{}", totals.variants.size()));
  set(node, "failures", fmt::format("{}", all.failed + all.mistrusted));
  set(node, "errors", "0");
  set_time(node, totals.seconds);
}

}  // namespace

std::string junit(const ReportContext& told) {
  const properties::campaign::CampaignReport& totals = told.totals;
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "warpcheck");
  set_sums(suites, totals);
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", "warpcheck");
  set_sums(suite, totals);
  const auto all_skipped =
      std::count_if(totals.variants.begin(), totals.variants.end(),
                    [](const VariantReport& one) { return !skipped(one).empty(); });
  set(suite, "skipped", fmt::format("{}", all_skipped));
  for (const VariantReport& variant : totals.variants) add_test(suite, variant, told);
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

}  // namespace warpcheck::report

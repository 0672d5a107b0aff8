#include "report/junit/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "report/failure_block.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using properties::campaign::FindingReport;
using properties::campaign::VariantReport;
using properties::campaign::Verdict;

/// XML excludes control characters, also as references (XML 1.0, section 2.2).
std::string xml_text(std::string_view text) { return utf8(printable(text, true)); }

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

/// The schema allows at most three decimals.
void set_time(pugi::xml_node node, double seconds) {
  set(node, "time", fmt::format("{:.3f}", seconds));
}

std::string message_place(const FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  if (source.file.empty()) return {};
  return (source.line == 0 ? shown_path(source.file) : place_text(source)) + ": ";
}

/// Why the test neither passed nor failed; empty: it did one of these.
std::string skip_reason(const VariantReport& variant) {
  if (is_known(variant)) return "known: " + leading_finding(variant).known;
  const bool none = variant.verdict == Verdict::pass && variant.cases == 0;
  return none ? "no case ran" : "";
}

/// An error, as JUnit calls a test that could not be completed, so that the job is not green.
void add_error(pugi::xml_node test, const VariantReport& variant, const ReportContext& context) {
  pugi::xml_node error = test.append_child("error");
  set(error, "type", std::string(verdict(variant)));
  set(error, "message", unsupported_forms(variant.device, variant.unsupported));
  std::string text;
  for (const properties::campaign::UnsupportedForm& form : variant.unsupported) {
    text += "\n" + unsupported_block(variant.variant, variant.device, form,
                                     context.replay_command(form.problem), Paint(false));
  }
  error.text().set(xml_text(text).c_str());
}

void add_failure(pugi::xml_node test, const VariantReport& variant, const ReportContext& context) {
  pugi::xml_node failure = test.append_child("failure");
  set(failure, "type", std::string(verdict(variant)));
  if (variant.findings.empty()) {
    set(failure, "message",
        fmt::format("mistrusted: {} passed, but {}", counted(variant.cases, "case"),
                    mistrust_text(variant)));
    return;
  }
  const FindingReport& first = leading_finding(variant);
  std::string message = fmt::format("{}{}: {}", message_place(first), name(first.finding.kind),
                                    first.finding.message);
  if (variant.findings.size() > 1) {
    const auto more = static_cast<std::int64_t>(variant.findings.size()) - 1;
    message += fmt::format("; and {}", counted(more, "other finding"));
  }
  set(failure, "message", message);
  std::string text;
  for (const FindingReport& finding : variant.findings) {
    text += "\n" + failure_block(finding, context.replay_command(finding.smallest), Paint(false));
  }
  failure.text().set(xml_text(text).c_str());
}

/// Measures, notes and drifts of a variant.
std::string variant_remarks(const VariantReport& variant, const ReportContext& context) {
  const Measures measured = measures(variant);
  std::string text = counted(variant.cases, "case");
  if (variant.empty != 0) text += fmt::format(" and {} empty", variant.empty);
  if (measured.sensitivity) text += ", sensitivity " + percent(measured.sensitivity);
  if (measured.level_coverage) text += ", level coverage " + percent(measured.level_coverage);
  if (measured.pair_coverage) text += ", pair coverage " + percent(measured.pair_coverage);
  text += '\n';
  for (const FindingReport& note : variant.notes) text += note_line(note) + "\n";
  for (const workflows::history::Drift& drift : context.drifts) {
    if (drift.variant != variant.variant) continue;
    text += fmt::format("drift: error over bound {:.2g} -> {:.2g} typically, since {} UTC\n",
                        drift.before.typical, drift.now.typical, drift.since);
  }
  return text;
}

void add_test(pugi::xml_node suite, const VariantReport& variant, const ReportContext& context) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "name", variant.variant);
  set(test, "classname", "warpcheck." + variant.device);
  set_time(test, variant.seconds);
  if (const std::string reason = skip_reason(variant); !reason.empty()) {
    set(test.append_child("skipped"), "message", reason);
  } else if (variant.verdict == Verdict::unsupported) {
    add_error(test, variant, context);
  } else if (variant.verdict != Verdict::pass) {
    add_failure(test, variant, context);
  }
  test.append_child("system-out").text().set(xml_text(variant_remarks(variant, context)).c_str());
}

void set_sums(pugi::xml_node node, const properties::campaign::CampaignReport& campaign) {
  const Totals all = totals(campaign);
  set(node, "tests", fmt::format("{}", campaign.variants.size()));
  set(node, "failures", fmt::format("{}", all.failed + all.mistrusted));
  set(node, "errors", fmt::format("{}", all.unsupported));
  set_time(node, campaign.seconds);
}

}  // namespace

std::string junit(const ReportContext& context) {
  const properties::campaign::CampaignReport& campaign = context.totals;
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "warpcheck");
  set_sums(suites, campaign);
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", "warpcheck");
  set_sums(suite, campaign);
  const auto all_skipped =
      std::count_if(campaign.variants.begin(), campaign.variants.end(),
                    [](const VariantReport& one) { return !skip_reason(one).empty(); });
  set(suite, "skipped", fmt::format("{}", all_skipped));
  for (const VariantReport& variant : campaign.variants) add_test(suite, variant, context);
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

}  // namespace warpcheck::report

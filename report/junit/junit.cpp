#include "report/junit/junit.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <pugixml.hpp>
#include <sstream>

#include "report/failure_block.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/requirements/error_text.hpp"
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
  if (variant.stopped != 0) text += ", " + stopped_text(variant.stopped);
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

/// The start of the campaign, as properties of its suite.
void add_properties(pugi::xml_node suite, const RunInfo& run, std::int64_t stopped) {
  pugi::xml_node all = suite.append_child("properties");
  const auto add = [&all](const char* name, const std::string& value) {
    if (value.empty()) return;
    pugi::xml_node property = all.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  };
  add("version", run.version);
  add("command", run.command);
  if (run.seed) add("seed", fmt::format("{}", *run.seed));
  add("device", run.device);
  add("nvcc", run.nvcc);
  if (stopped != 0) add("stopped", fmt::format("{}", stopped));
}

pugi::xml_node add_target_test(pugi::xml_node suite, const std::string& target) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "name", target);
  set(test, "classname", "warpcheck.target");
  set_time(test, 0.0);
  return test;
}

/// A target that could not be checked.
void add_error_test(pugi::xml_node suite, const contract::TargetError& target) {
  pugi::xml_node error = add_target_test(suite, shown_path(target.target)).append_child("error");
  set(error, "type", "source-error");
  const std::vector<PlacedError> placed = placed_errors(target);
  set(error, "message", placed.empty() ? "" : placed.front().message);
  error.text().set(xml_text("\n" + error_text(target)).c_str());
}

/// The variants are test cases already, so that only a verdict that these do not show needs one.
bool has_test(const Requirement& requirement) {
  const bool is_of_variant = requirement.kind == "verdict" || requirement.kind == "cases";
  return !requirement.is_verdict && (!is_of_variant || requirement.state != RequirementState::met);
}

void add_requirement_test(pugi::xml_node suite, const Requirement& requirement) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "name", requirement.name);
  set(test, "classname", "warpcheck.requirement");
  set_time(test, 0.0);
  if (requirement.state == RequirementState::met) return;
  const bool undecided = requirement.state == RequirementState::undecided;
  pugi::xml_node failure = test.append_child(undecided ? "error" : "failure");
  set(failure, "type", undecided ? "unsupported" : requirement.kind);
  set(failure, "message", requirement.reason);
}

/// True if a requirement has the test case of a file without a contract.
bool is_required(const std::string& file, const Requirements& requirements) {
  return std::any_of(requirements.all.begin(), requirements.all.end(), [&](const Requirement& one) {
    return one.kind == "contract" && one.where.file == file;
  });
}

/// Counts the test cases, which are all below the suite.
void set_sums(pugi::xml_node node, pugi::xml_node suite, double seconds) {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  for (const pugi::xml_node test : suite.children("testcase")) {
    ++tests;
    failures += test.child("failure") ? 1 : 0;
    errors += test.child("error") ? 1 : 0;
    skipped += test.child("skipped") ? 1 : 0;
  }
  set(node, "tests", fmt::format("{}", tests));
  set(node, "failures", fmt::format("{}", failures));
  set(node, "errors", fmt::format("{}", errors));
  set_time(node, seconds);
  if (node == suite) set(node, "skipped", fmt::format("{}", skipped));
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
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", "warpcheck");
  set(suite, "timestamp", fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(std::time(nullptr))));
  add_properties(suite, context.run, campaign.stopped);
  for (const VariantReport& variant : campaign.variants) add_test(suite, variant, context);
  for (const contract::TargetError& error : campaign.errors) add_error_test(suite, error);
  for (const std::string& file : context.without_contract) {
    if (is_required(file, context.requirements)) continue;
    const pugi::xml_node test = add_target_test(suite, shown_path(file));
    set(pugi::xml_node(test).append_child("skipped"), "message", "no contract");
  }
  for (const Requirement& requirement : context.requirements.all) {
    if (has_test(requirement)) add_requirement_test(suite, requirement);
  }
  set_sums(suites, suite, campaign.seconds);
  set_sums(suite, suite, campaign.seconds);
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

}  // namespace warpcheck::report

#include "report/junit/junit.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <pugixml.hpp>
#include <sstream>

#include "report/cause/cause.hpp"
#include "report/failure_block.hpp"
#include "report/finding/message.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/requirements/error_text.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using campaign::CheckedProperty;
using campaign::FindingReport;
using campaign::UnsupportedForm;
using campaign::VariantReport;
using campaign::Verdict;

/// XML excludes control characters, also as references (XML 1.0, section 2.2).
std::string xml_text(std::string_view text) { return utf8(printable(text, true)); }

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

/// The schema allows at most three decimals.
void set_time(pugi::xml_node node, double seconds) {
  set(node, "time", fmt::format("{:.3f}", seconds));
}

/// The findings and cases of a variant under one property.
struct PropertyTest {
  const VariantReport& variant;
  CheckedProperty checked;
  bool first = false;  // first test of the variant; it also reports the variant as a whole
  std::vector<const FindingReport*> findings = {};
  std::vector<UnsupportedForm> unsupported = {};  // forms that its cases reached first

  [[nodiscard]] const FindingReport& leading() const {
    const auto unknown =
        std::find_if(findings.begin(), findings.end(),
                     [](const FindingReport* finding) { return finding->known.empty(); });
    return **(unknown == findings.end() ? findings.begin() : unknown);
  }
};

/// One test per property. A variant of an old history, which has no recorded properties, is one
/// test.
std::vector<PropertyTest> tests_of(const VariantReport& variant) {
  std::vector<CheckedProperty> properties = variant.properties;
  if (properties.empty()) {
    properties.push_back({"", variant.cases, variant.seconds});
  } else {
    for (const FindingReport& finding : variant.findings) add(properties, {finding.property});
  }
  std::vector<PropertyTest> tests;
  for (const CheckedProperty& checked : properties) {
    tests.push_back({variant, checked, tests.empty()});
  }
  const auto test_of = [&tests](std::string_view property) -> PropertyTest& {
    const auto found = std::find_if(tests.begin(), tests.end(), [&](const PropertyTest& test) {
      return test.checked.name == property;
    });
    return found == tests.end() ? tests.front() : *found;
  };
  for (const FindingReport& finding : variant.findings) {
    test_of(finding.property).findings.push_back(&finding);
  }
  for (const UnsupportedForm& form : variant.unsupported) {
    test_of(form.problem.property).unsupported.push_back(form);
  }
  return tests;
}

std::string message_place(const FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  if (source.file.empty()) return {};
  return (source.line == 0 ? shown_path(source.file) : place_text(source)) + ": ";
}

/// The reason why a test without findings neither passed nor failed; empty: it did one of these.
std::string skip_reason(const PropertyTest& test) {
  if (!test.unsupported.empty()) {
    return unsupported_forms(test.variant.device, test.unsupported);
  }
  if (test.checked.cases != 0) return "";
  return test.variant.cases == 0 ? "no case ran" : "not checked on any case";
}

/// An error, as JUnit calls a test that could not be completed, so that the job is not green.
void add_error(pugi::xml_node node, const PropertyTest& test, const ReportContext& context) {
  pugi::xml_node error = node.append_child("error");
  set(error, "type", std::string(verdict(test.variant)));
  set(error, "message", unsupported_forms(test.variant.device, test.unsupported));
  std::string text;
  for (const UnsupportedForm& form : test.unsupported) {
    text += "\n" + unsupported_block(test.variant.variant, test.variant.device, form,
                                     form.is_program() ? "" : context.replay_command(form.problem),
                                     Paint(false));
  }
  error.text().set(xml_text(text).c_str());
}

void add_mistrust(pugi::xml_node node, const VariantReport& variant) {
  pugi::xml_node failure = node.append_child("failure");
  set(failure, "type", std::string(verdict(variant)));
  set(failure, "message",
      fmt::format("mistrusted: {} passed, but {}", counted(variant.cases, "case"),
                  mistrust_text(variant)));
}

void add_failure(pugi::xml_node node, const PropertyTest& test, const ReportContext& context) {
  pugi::xml_node failure = node.append_child("failure");
  const FindingReport& first = test.leading();
  set(failure, "type", std::string(name(first.finding.kind)));
  std::string message = fmt::format("{}{}: {}", message_place(first), name(first.finding.kind),
                                    message_text(first.finding));
  if (test.findings.size() > 1) {
    const auto more = static_cast<std::int64_t>(test.findings.size()) - 1;
    message += fmt::format("; and {}", counted(more, "other finding"));
  }
  set(failure, "message", message);
  std::string text;
  for (const FindingReport* finding : test.findings) {
    text += "\n" + failure_block(*finding, context.replay_of(*finding), Paint(false));
  }
  failure.text().set(xml_text(text).c_str());
}

/// The result of a test without findings.
void add_result(pugi::xml_node node, const PropertyTest& test, const ReportContext& context) {
  const VariantReport& variant = test.variant;
  if (variant.verdict == Verdict::unsupported && !test.unsupported.empty()) {
    add_error(node, test, context);
  } else if (variant.verdict == Verdict::mistrusted && test.first) {
    add_mistrust(node, variant);
  } else if (const std::string reason = skip_reason(test); !reason.empty()) {
    set(node.append_child("skipped"), "message", reason);
  }
}

/// The file relative to its repository, as readers of the format expect it.
void set_location(pugi::xml_node node, const Location& where) {
  if (where.file.empty()) return;
  const std::string relative = relative_to_repository(where.file).string();
  set(node, "file", relative.empty() ? where.file : relative);
  if (where.line != 0) set(node, "line", fmt::format("{}", where.line));
}

void set_place(pugi::xml_node node, const PropertyTest& test, const ReportContext& context) {
  Location where;
  if (test.findings.empty()) {
    where = source_of(test.variant.variant, context);
    if (where.file.empty()) where.file = context.path_of(test.variant.variant);
  } else {
    where = place_of(test.leading(), context);
  }
  set_location(node, where);
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

void add_test(pugi::xml_node suite, const PropertyTest& test, const ReportContext& context) {
  pugi::xml_node node = suite.append_child("testcase");
  const std::string& property = test.checked.name;
  set(node, "name", test.variant.variant + (property.empty() ? "" : ": " + property));
  set(node, "classname", "warpcheck." + test.variant.device);
  set_place(node, test, context);
  set_time(node, test.checked.seconds);
  if (test.findings.empty()) {
    add_result(node, test, context);
  } else if (const std::string& known = test.leading().known; !known.empty()) {
    set(node.append_child("skipped"), "message", "known: " + known);
  } else {
    add_failure(node, test, context);
  }
  std::string text = fmt::format("checked on {}\n", context.cases_text(test.checked.cases));
  if (context.is_program) {
    for (const FindingReport& note : test.variant.notes) text += note_line(note) + "\n";
  } else if (test.first) {
    text += "the variant: " + variant_remarks(test.variant, context);
  }
  node.append_child("system-out").text().set(xml_text(text).c_str());
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
  add("revision", run.revision);
  if (!run.docs.empty()) {
    add("informationUri", file_uri(run.docs + "/README.md"));
    add("helpUri", file_uri(run.docs + "/checks.md"));
  }
  if (stopped != 0) add("stopped", fmt::format("{}", stopped));
}

/// A refuted property fails in the test of its finding too.
void add_proof_tests(pugi::xml_node suite, const workflows::prove::VariantResult& result,
                     const ReportContext& context) {
  using workflows::prove::Status;
  for (const workflows::prove::PropertyResult& property : result.properties) {
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "name",
        fmt::format("{}: proof of {}", result.variant, name(property.proof.property)));
    set(test, "classname", "warpcheck.proof");
    Location where = property.proof.where;
    if (where.file.empty()) where = source_of(result.variant, context);
    set_location(test, where);
    set_time(test, property.proof.seconds);
    if (property.status() == Status::refuted) {
      const FindingReport& found = *property.refutation;
      pugi::xml_node failure = test.append_child("failure");
      set(failure, "type", std::string(name(found.finding.kind)));
      set(failure, "message", open_reason(property));
      failure.text().set(
          xml_text("\n" + failure_block(found, context.replay_of(found), Paint(false))).c_str());
    } else if (property.status() == Status::unknown) {
      set(test.append_child("skipped"), "message", "unknown: " + open_reason(property));
    }
  }
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

/// A campaign that this machine could not run.
void add_refusal_test(pugi::xml_node suite, const std::string& reason) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "name", "campaign");
  set(test, "classname", "warpcheck.run");
  set_time(test, 0.0);
  pugi::xml_node error = test.append_child("error");
  set(error, "type", "not-run");
  set(error, "message", reason);
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
  const campaign::CampaignReport& campaign = context.totals;
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
  if (!campaign.not_run.empty()) add_refusal_test(suite, campaign.not_run);
  for (const VariantReport& variant : campaign.variants) {
    if (context.is_proof) break;  // no campaign ran
    for (const PropertyTest& test : tests_of(variant)) add_test(suite, test, context);
  }
  for (const auto& proof : context.proofs) add_proof_tests(suite, proof, context);
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

#include "report/sarif/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "report/cause/cause.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "report/finding/message.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/sarif/rules.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using campaign::FindingReport;
using campaign::VariantReport;

constexpr const char* kRoot = "SRCROOT";
constexpr const char* kFingerprint = "primaryLocationLineHash";  // GitHub reads it

/// The rules of results that are no findings follow those of the classes.
struct OtherRule {
  std::string_view id;
  const char* summary;
  const char* help;
};
constexpr std::array<OtherRule, 3> kOtherRules = {{
    {kSourceError, "A source or a contract is wrong",
     "The target could not be checked, because its source does not compile, or because its "
     "contract or its domain is wrong. Nothing is known about its kernels."},
    {kUnmetRequirement, "A requirement is not met",
     "The policy of the gate, or an option of the command, requires more than the absence of "
     "findings: a sensitivity, a coverage, a mutation score, a contract, or that known failures "
     "still occur and have not expired."},
    {kNotProved, "A property is not proved",
     "The proof of the property for every case of the contract did not succeed, and no case was "
     "found that violates it. The message has the reason. This does not show that the kernel is "
     "wrong."},
}};

Json text_of(std::string_view text) { return {{"text", text}}; }

/// The address of a page of the documentation, which is installed with the program.
std::string page_uri(const RunInfo& run, const char* page) {
  return file_uri(run.docs + "/" + page);
}

Json rule_json(std::string_view id, std::string_view summary, std::string_view help,
               const RunInfo& run) {
  Json text = text_of(help);
  text["markdown"] = fmt::format(
      "**{}.** {}\n\nThe message of a result of `check` has the command that replays its smallest "
      "case. "
      "`docs/checks.md` of warpcheck defines each check.",
      summary, help);
  Json rule = {{"id", id},
               {"shortDescription", text_of(summary)},
               {"fullDescription", text_of(help)},
               {"help", text},
               {"defaultConfiguration", {{"level", "error"}}},
               {"properties", {{"tags", {"correctness", "cuda"}}}}};
  if (!run.docs.empty()) rule["helpUri"] = page_uri(run, "checks.md");
  return rule;
}

Json driver_json(const RunInfo& run) {
  Json all = Json::array();
  for (const Rule& rule : rules()) {
    all.push_back(rule_json(name(rule.kind), rule.summary, rule.help, run));
  }
  for (const OtherRule& rule : kOtherRules) {
    all.push_back(rule_json(rule.id, rule.summary, rule.help, run));
  }
  Json driver = {{"name", "warpcheck"}, {"version", run.version}, {"rules", all}};
  if (!run.docs.empty()) driver["informationUri"] = page_uri(run, "README.md");
  return driver;
}

Json artifact(const std::string& file) {
  const auto within = path_in_repository(file);
  if (!within) return {{"uri", file_uri(file)}};
  return {{"uri", *within}, {"uriBaseId", kRoot}};
}

/// Lines count from 1; 0: not known.
Json location(const std::string& file, unsigned line) {
  Json place = {{"artifactLocation", artifact(file)}};
  if (line != 0) place["region"] = {{"startLine", line}};
  return {{"physicalLocation", place}};
}

/// The number of characters of a text in UTF-8.
std::int64_t code_points(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
}

/// Adds the column and the text of a line to its location. Columns count from 1, in bytes; 0: not
/// known.
void add_column(Json& place, unsigned column, const campaign::run::Excerpt& excerpt) {
  if (excerpt.lines.empty()) return;
  Json& region = place["physicalLocation"]["region"];
  std::string text = source_line(excerpt);
  if (column != 0 && column <= text.size()) {
    region["startColumn"] = code_points(text.substr(0, column - 1)) + 1;
    text.erase(0, column - 1);
  }
  region["snippet"] = text_of(text);
}

Json locations(const FindingReport& report, const ReportContext& context) {
  const SourcePlace& source = report.finding.source;
  const Location where = place_of(report, context);
  if (where.file.empty()) return nullptr;
  Json place = location(where.file, where.line);
  Json& physical = place["physicalLocation"];
  const campaign::run::Excerpt& excerpt = report.excerpt;
  if (source.line != 0 && !excerpt.lines.empty()) {
    add_column(place, source.column, excerpt);
    std::string lines;
    for (const std::string& line : excerpt.lines) lines += line + "\n";
    physical["contextRegion"] = {{"startLine", excerpt.first_line},
                                 {"endLine", excerpt.first_line + excerpt.lines.size() - 1},
                                 {"snippet", text_of(lines)}};
  }
  return Json::array({place});
}

struct RelatedPlace {
  std::string file;
  unsigned line;
  std::string role;
  unsigned column = 0;                              // counts bytes from 1; 0: not known
  const campaign::run::Excerpt* excerpt = nullptr;  // the lines around it; null: not known
};

/// The other access of a race, the calls that lead to the line, and those of the host.
std::vector<RelatedPlace> related_places(const FindingReport& report) {
  const Finding& finding = report.finding;
  std::vector<RelatedPlace> all;
  if (finding.other) {
    const SourcePlace& other = finding.other->source;
    all.push_back({other.file, other.line,
                   finding.other->write ? "the other access, a write" : "the other access, a read",
                   other.column, &report.other_excerpt});
  }
  for (const CallSite& call : finding.source.calls) {
    all.push_back({call.file, call.line, "called from here"});
  }
  for (const device::RelatedStack& stack : report.stacks) {
    for (const device::HostFrame& frame : stack.frames) {
      all.push_back({frame.file, frame.line, fmt::format("{} {}", stack.title, frame.function)});
    }
  }
  std::erase_if(all, [](const RelatedPlace& one) { return one.file.empty() || one.line == 0; });
  return all;
}

/// Ids count from 1, as in the links of related_text().
Json related(const FindingReport& report) {
  Json all = Json::array();
  for (const RelatedPlace& one : related_places(report)) {
    Json place = {{"id", all.size() + 1}};
    place.update(location(one.file, one.line));
    if (one.excerpt != nullptr) add_column(place, one.column, *one.excerpt);
    place["message"] = text_of(one.role);
    all.push_back(place);
  }
  return all;
}

/// A line with a link to each related location (SARIF 2.1.0, section 3.11.6).
std::string related_text(const FindingReport& report) {
  std::string text;
  std::size_t id = 0;
  for (const RelatedPlace& one : related_places(report)) {
    const std::string file = one.file == report.finding.source.file
                                 ? std::string()
                                 : " of " + std::filesystem::path(one.file).filename().string();
    text += fmt::format("\nSee [line {}]({}){}: {}", one.line, ++id, file, one.role);
  }
  return text;
}

std::string message(const Cause& cause, const ReportContext& context) {
  std::string text = cause_text(cause, context);
  text += related_text(*cause.findings.front());
  if (cause.findings.size() > 1) {
    text +=
        fmt::format("\n{} with the same cause: see the property \"cases\"",
                    counted(static_cast<std::int64_t>(cause.findings.size()) - 1, "more finding"));
  }
  return text;
}

Json cases(const Cause& cause, const ReportContext& context) {
  Json all = Json::array();
  for (const FindingReport* finding : cause.findings) {
    if (finding->is_program()) {
      all.push_back({{"kernel", finding->variant}, {"launch", finding->launch}});
      continue;
    }
    all.push_back({{"variant", finding->variant},
                   {"device", finding->device},
                   {"property", finding->property},
                   {"case", to_line(finding->original)},
                   {"smallest", to_line(finding->smallest)},
                   {"replay", context.replay_of(*finding)}});
    if (!finding->fully_shrunk) all.back()["fullyShrunk"] = false;
  }
  return all;
}

Json notification(const std::string& text) {
  return {{"level", "warning"}, {"message", text_of(text)}};
}

/// The place is the first at which a form was reached.
Json unsupported_notification(const VariantReport& variant, const campaign::UnsupportedForm& form) {
  Json result =
      notification(fmt::format("{}: {}: {}", variant.variant,
                               unsupported_forms(variant.device, {form}), reason_text(form.what)));
  result["level"] = "error";
  const SourcePlace& source = form.what.source;
  if (source.line != 0) result["locations"] = Json::array({location(source.file, source.line)});
  return result;
}

Json invocation(const ReportContext& context) {
  Json all = Json::array();
  const std::string& not_run = context.totals.not_run;
  if (!not_run.empty()) {
    all.push_back(notification("Nothing was checked: " + not_run));
    all.back()["level"] = "error";
  }
  for (const VariantReport& variant : context.totals.variants) {
    for (const campaign::UnsupportedForm& form : variant.unsupported) {
      all.push_back(unsupported_notification(variant, form));
    }
  }
  for (const VariantReport& variant : context.totals.variants) {
    if (variant.verdict != campaign::Verdict::mistrusted) continue;
    all.push_back(notification(variant.variant + ": " + mistrusted_pass(variant)));
  }
  if (const std::string stopped = stopped_text(context.totals.stopped); !stopped.empty()) {
    all.push_back(notification(stopped + ": neither passed nor failed"));
  }
  for (const std::string& file : context.without_contract) {
    Json note = notification(shown_path(file) + ": no contract, so that it is not checked");
    note["locations"] = Json::array({location(file, 0)});
    all.push_back(note);
  }
  for (const workflows::history::Drift& drift : context.drifts) {
    all.push_back(notification(fmt::format("{}: larger errors than in the campaign of {} UTC",
                                           drift.variant, drift.since)));
  }
  const bool complete =
      not_run.empty() && context.totals.unsupported == 0 && context.totals.errors.empty();
  Json run = {{"executionSuccessful", complete}};
  if (!all.empty()) run["toolExecutionNotifications"] = all;
  return run;
}

/// Empty if the policy of a gate does not accept all findings of the cause as known.
Json suppressions(const Cause& cause) {
  if (!cause.is_known()) return Json::array();
  // Accepted, by default. Drafts of the schema that are still in use name that key otherwise.
  return {{{"kind", "external"}, {"justification", cause.findings.front()->known}}};
}

Json result_of(const Cause& cause, const ReportContext& context, Fingerprints& fingerprints) {
  const FindingReport& first = *cause.findings.front();
  const Finding& finding = first.finding;
  Json result = {{"ruleId", name(finding.kind)},
                 {"ruleIndex", static_cast<unsigned>(finding.kind)},
                 {"level", cause.fails ? "error" : "note"},
                 {"message", text_of(message(cause, context))}};
  if (Json places = locations(first, context); !places.is_null()) result["locations"] = places;
  if (Json others = related(first); !others.empty()) result["relatedLocations"] = others;
  if (Json reasons = suppressions(cause); !reasons.empty()) result["suppressions"] = reasons;
  result["partialFingerprints"] = {{kFingerprint, fingerprints.of(first)}};
  result["properties"] = {{"cases", cases(cause, context)}};
  return result;
}

Json result_of(const OtherProblem& problem) {
  const auto rule = std::find_if(kOtherRules.begin(), kOtherRules.end(),
                                 [&](const OtherRule& one) { return one.id == problem.rule; });
  Json result = {{"ruleId", problem.rule},
                 {"ruleIndex", rules().size() + (rule - kOtherRules.begin())},
                 {"level", problem.rule == kNotProved ? "note" : "error"},
                 {"message", text_of(problem.message)}};
  if (!problem.where.file.empty()) {
    Json place = location(problem.where.file, problem.where.line);
    if (problem.where.column != 0) {
      place["physicalLocation"]["region"]["startColumn"] = problem.where.column;
    }
    result["locations"] = Json::array({place});
  }
  result["partialFingerprints"] = {{kFingerprint, problem.fingerprint}};
  return result;
}

}  // namespace

std::string sarif(const ReportContext& context) {
  Json results = Json::array();
  Fingerprints fingerprints;
  for (const Cause& cause : causes(context.totals)) {
    results.push_back(result_of(cause, context, fingerprints));
  }
  for (const OtherProblem& problem : other_problems(context)) results.push_back(result_of(problem));
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs",
                     {{{"tool", {{"driver", driver_json(context.run)}}},
                       {"invocations", {invocation(context)}},
                       {"originalUriBaseIds",
                        {{kRoot, {{"description", text_of("the root of the repository")}}}}},
                       {"columnKind", "unicodeCodePoints"},
                       {"results", results}}}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpcheck::report

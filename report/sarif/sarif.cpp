#include "report/sarif/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "base/content_hash.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/requirements/error_text.hpp"
#include "report/sarif/rules.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using properties::campaign::FindingReport;
using properties::campaign::VariantReport;

constexpr const char* kRoot = "SRCROOT";

/// The rules of results that are no findings follow those of the classes.
struct OtherRule {
  const char* id;
  const char* summary;
  const char* help;
};
constexpr std::array<OtherRule, 2> kOtherRules = {{
    {"source-error", "A source or a contract is wrong",
     "The target could not be checked, because its source does not compile, or because its "
     "contract "
     "or its domain is wrong. Nothing is known about its kernels."},
    {"unmet-requirement", "A requirement is not met",
     "The policy of the gate, or an option of the command, requires more than the absence of "
     "findings: a sensitivity, a coverage, a mutation score, a contract, or that known failures "
     "still occur and have not expired."},
}};

struct Cause {
  std::vector<const FindingReport*> findings;  // in the order of the variants
};

Json text_of(std::string_view text) { return {{"text", text}}; }

Json rules_json() {
  Json all = Json::array();
  for (const Rule& rule : rules()) {
    all.push_back({{"id", name(rule.kind)},
                   {"shortDescription", text_of(rule.summary)},
                   {"fullDescription", text_of(rule.help)},
                   {"help", text_of(rule.help)},
                   {"defaultConfiguration", {{"level", "error"}}},
                   {"properties", {{"tags", {"correctness", "cuda"}}}}});
  }
  for (const OtherRule& rule : kOtherRules) {
    all.push_back({{"id", rule.id},
                   {"shortDescription", text_of(rule.summary)},
                   {"fullDescription", text_of(rule.help)},
                   {"help", text_of(rule.help)},
                   {"defaultConfiguration", {{"level", "error"}}},
                   {"properties", {{"tags", {"correctness", "cuda"}}}}});
  }
  return all;
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

std::string excerpt_line(const properties::run::Excerpt& excerpt) {
  const std::size_t index = excerpt.line - excerpt.first_line;
  return index < excerpt.lines.size() ? excerpt.lines[index] : std::string();
}

Json locations(const FindingReport& report, const ReportContext& context) {
  const SourcePlace& source = report.finding.source;
  const std::string file = source.file.empty() ? context.path_of(report.variant) : source.file;
  if (file.empty()) return nullptr;
  Json place = location(file, source.line);
  Json& physical = place["physicalLocation"];
  const properties::run::Excerpt& excerpt = report.excerpt;
  if (source.line != 0 && !excerpt.lines.empty()) {
    std::string text = excerpt_line(excerpt);
    if (source.column != 0 && source.column <= text.size()) {
      physical["region"]["startColumn"] = source.column;
      text.erase(0, source.column - 1);
    }
    physical["region"]["snippet"] = text_of(text);
    std::string lines;
    for (const std::string& line : excerpt.lines) lines += line + "\n";
    physical["contextRegion"] = {{"startLine", excerpt.first_line},
                                 {"endLine", excerpt.first_line + excerpt.lines.size() - 1},
                                 {"snippet", text_of(lines)}};
  }
  return Json::array({place});
}

/// The other access of a race, and the calls that lead to the line.
Json related(const Finding& finding) {
  Json all = Json::array();
  const auto add = [&](const std::string& file, unsigned line, std::string_view message) {
    if (file.empty() || line == 0) return;
    Json place = {{"id", all.size() + 1}};
    place.update(location(file, line));
    place["message"] = text_of(message);
    all.push_back(place);
  };
  if (finding.other) {
    const SourcePlace& other = finding.other->source;
    add(other.file, other.line,
        finding.other->write ? "the other access, a write" : "the other access, a read");
  }
  for (const CallSite& call : finding.source.calls) add(call.file, call.line, "called from here");
  return all;
}

std::string message(const Cause& cause, const ReportContext& context) {
  const FindingReport& first = *cause.findings.front();
  std::string text =
      fmt::format("{}: {}: {}", first.variant, name(first.finding.kind), first.finding.message);
  if (!first.diagnosis.empty()) text += "\nDiagnosis: " + diagnosis_text(first.diagnosis);
  text += fmt::format("\nSmallest case: {}\nReplay: {}", to_line(first.smallest),
                      context.replay_command(first.smallest));
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
    all.push_back({{"variant", finding->variant},
                   {"device", finding->device},
                   {"property", finding->property},
                   {"case", to_line(finding->original)},
                   {"smallest", to_line(finding->smallest)},
                   {"replay", context.replay_command(finding->smallest)}});
  }
  return all;
}

/// Blanks do not count: a line with other indentation is the same line.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return text;
}

std::string fingerprint(const FindingReport& report) {
  const Finding& finding = report.finding;
  ContentHash hash;
  hash.add(name(finding.kind));
  const std::string line = without_blanks(excerpt_line(report.excerpt));
  if (finding.source.line != 0 && !line.empty()) {
    hash.add(path_in_repository(finding.source.file).value_or(finding.source.file));
    hash.add(line);
  } else {
    hash.add(report.variant);
    hash.add(report.property);
  }
  return hash.digits();
}

std::vector<Cause> causes(const properties::campaign::CampaignReport& campaign) {
  using Key = std::tuple<FindingClass, Grade, std::string, unsigned, std::string>;
  std::vector<Cause> all;
  std::map<Key, std::size_t> known;
  const auto add = [&](const FindingReport& report) {
    const Finding& finding = report.finding;
    const unsigned line = finding.source.line;
    const auto [entry, is_new] =
        known.try_emplace({finding.kind, finding.grade, finding.source.file, line,
                           line == 0 ? report.variant : std::string()},
                          all.size());
    if (is_new) all.emplace_back();
    all[entry->second].findings.push_back(&report);
  };
  for (const VariantReport& variant : campaign.variants) {
    for (const FindingReport& finding : variant.findings) add(finding);
    for (const FindingReport& note : variant.notes) add(note);
  }
  return all;
}

Json notification(const std::string& text) {
  return {{"level", "warning"}, {"message", text_of(text)}};
}

/// The place is the first at which a form was reached.
Json unsupported_notification(const VariantReport& variant,
                              const properties::campaign::UnsupportedForm& form) {
  Json result = notification(fmt::format(
      "{}: {}: {}", variant.variant, unsupported_forms(variant.device, {form}), form.what.reason));
  result["level"] = "error";
  const SourcePlace& source = form.what.source;
  if (source.line != 0) result["locations"] = Json::array({location(source.file, source.line)});
  return result;
}

Json invocation(const ReportContext& context) {
  Json all = Json::array();
  for (const VariantReport& variant : context.totals.variants) {
    for (const properties::campaign::UnsupportedForm& form : variant.unsupported) {
      all.push_back(unsupported_notification(variant, form));
    }
  }
  for (const VariantReport& variant : context.totals.variants) {
    if (variant.verdict != properties::campaign::Verdict::mistrusted) continue;
    all.push_back(notification(
        fmt::format("{}: mistrusted: it passed, but {}", variant.variant, mistrust_text(variant))));
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
  const bool complete = context.totals.unsupported == 0 && context.totals.errors.empty();
  Json run = {{"executionSuccessful", complete}};
  if (!all.empty()) run["toolExecutionNotifications"] = all;
  return run;
}

/// Equal lines of a file have equal hashes; a number after the hash distinguishes them, as in
/// GitHub's own fingerprints.
class Fingerprints {
 public:
  Json of(const FindingReport& report) {
    const std::string hash = fingerprint(report);
    return {{"primaryLocationLineHash", fmt::format("{}:{}", hash, ++seen_[hash])}};
  }

 private:
  std::map<std::string, int> seen_;
};

/// Empty if the policy of a gate does not accept all findings of the cause as known.
Json suppressions(const Cause& cause) {
  const auto known = [](const FindingReport* finding) { return !finding->known.empty(); };
  if (!std::all_of(cause.findings.begin(), cause.findings.end(), known)) return Json::array();
  return {{{"kind", "external"},
           {"status", "accepted"},
           {"justification", cause.findings.front()->known}}};
}

Json result_of(const Cause& cause, const ReportContext& context, Fingerprints& fingerprints) {
  const FindingReport& first = *cause.findings.front();
  const Finding& finding = first.finding;
  Json result = {{"ruleId", name(finding.kind)},
                 {"ruleIndex", static_cast<unsigned>(finding.kind)},
                 {"level", finding.grade == Grade::failure ? "error" : "note"},
                 {"message", text_of(message(cause, context))}};
  if (Json places = locations(first, context); !places.is_null()) result["locations"] = places;
  if (Json others = related(finding); !others.empty()) result["relatedLocations"] = others;
  if (Json reasons = suppressions(cause); !reasons.empty()) result["suppressions"] = reasons;
  result["partialFingerprints"] = fingerprints.of(first);
  result["properties"] = {{"cases", cases(cause, context)}};
  return result;
}

/// A result of one of kOtherRules. `name` identifies it in every run.
Json other_result(std::size_t rule, const std::string& name, const std::string& text,
                  const Location& where) {
  Json result = {{"ruleId", kOtherRules[rule].id},
                 {"ruleIndex", rules().size() + rule},
                 {"level", "error"},
                 {"message", text_of(text)}};
  if (!where.file.empty()) {
    Json place = location(where.file, where.line);
    if (where.column != 0) place["physicalLocation"]["region"]["startColumn"] = where.column;
    result["locations"] = Json::array({place});
  }
  ContentHash hash;
  hash.add(kOtherRules[rule].id);
  hash.add(name);
  result["partialFingerprints"] = {{"primaryLocationLineHash", hash.digits() + ":1"}};
  return result;
}

/// The source of a variant; its path may be a folder.
Location source_of(const std::string& variant, const ReportContext& context) {
  const auto source = context.variant_sources.find(variant);
  return source == context.variant_sources.end() ? Location() : Location{source->second, 0, 0};
}

void add_other_results(const ReportContext& context, Json& results) {
  for (const contract::TargetError& error : context.totals.errors) {
    for (const PlacedError& placed : placed_errors(error)) {
      const std::string target = shown_path(error.target);
      Location where = placed.where;
      std::error_code ignored;
      if (where.file.empty() && std::filesystem::exists(error.target, ignored)) {
        where = {error.target, 0, 0};
      }
      results.push_back(other_result(0, target + placed.message,
                                     fmt::format("{}: {}", target, placed.message), where));
    }
  }
  for (const Requirement* requirement : context.requirements.open()) {
    Location where = requirement->where;
    if (where.file.empty()) where = source_of(requirement->variant, context);
    results.push_back(other_result(1, requirement->name, requirement->reason, where));
  }
}

}  // namespace

std::string sarif(const ReportContext& context) {
  Json results = Json::array();
  Fingerprints fingerprints;
  for (const Cause& cause : causes(context.totals)) {
    results.push_back(result_of(cause, context, fingerprints));
  }
  add_other_results(context, results);
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool",
          {{"driver",
            {{"name", "warpcheck"}, {"version", WARPCHECK_VERSION}, {"rules", rules_json()}}}}},
         {"invocations", {invocation(context)}},
         {"originalUriBaseIds",
          {{kRoot, {{"description", text_of("the root of the repository")}}}}},
         {"columnKind", "unicodeCodePoints"},
         {"results", results}}}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpcheck::report

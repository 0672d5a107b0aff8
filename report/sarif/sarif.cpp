#include "report/sarif/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "base/content_hash.hpp"
#include "properties/judge/diagnosis_text.hpp"
#include "report/path.hpp"
#include "report/sarif/rules.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using properties::campaign::FindingReport;
using properties::campaign::VariantReport;

constexpr const char* kRoot = "SRCROOT";

struct Cause {
  std::vector<const FindingReport*> sights;  // in the order of the variants
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
  return all;
}

Json artifact(const std::string& file) {
  const auto within = path_in_repository(file);
  if (!within) return {{"uri", file_uri(file)}};
  return {{"uri", *within}, {"uriBaseId", kRoot}};
}

/// Lines count from 1; 0 is not known.
Json location(const std::string& file, unsigned line) {
  Json place = {{"artifactLocation", artifact(file)}};
  if (line != 0) place["region"] = {{"startLine", line}};
  return {{"physicalLocation", place}};
}

std::string line_text(const properties::run::Excerpt& excerpt) {
  const std::size_t index = excerpt.line - excerpt.first_line;
  return index < excerpt.lines.size() ? excerpt.lines[index] : std::string();
}

Json locations(const FindingReport& report, const ReportContext& told) {
  const SourcePlace& source = report.finding.source;
  const std::string file = source.file.empty() ? told.path_of(report.variant) : source.file;
  if (file.empty()) return nullptr;
  Json place = location(file, source.line);
  Json& physical = place["physicalLocation"];
  const properties::run::Excerpt& excerpt = report.excerpt;
  if (source.line != 0 && !excerpt.lines.empty()) {
    std::string text = line_text(excerpt);
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

std::string message(const Cause& cause, const ReportContext& told) {
  const FindingReport& first = *cause.sights.front();
  std::string text =
      fmt::format("{}: {}: {}", first.variant, name(first.finding.kind), first.finding.message);
  if (!first.diagnosis.empty()) text += "\nDiagnosis: " + properties::judge::text(first.diagnosis);
  text += fmt::format("\nSmallest case: {}\nReplay: {}", to_line(first.smallest),
                      told.replay_command(first.smallest));
  if (cause.sights.size() > 1) {
    text +=
        fmt::format("\nAlso shown by {} more, see the property \"cases\"", cause.sights.size() - 1);
  }
  return text;
}

Json cases(const Cause& cause, const ReportContext& told) {
  Json all = Json::array();
  for (const FindingReport* sight : cause.sights) {
    all.push_back({{"variant", sight->variant},
                   {"device", sight->device},
                   {"property", sight->property},
                   {"case", to_line(sight->original)},
                   {"smallest", to_line(sight->smallest)},
                   {"replay", told.replay_command(sight->smallest)}});
  }
  return all;
}

/// Blanks do not count: a line that is indented anew is the same one.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return text;
}

std::string fingerprint(const FindingReport& report) {
  const Finding& finding = report.finding;
  ContentHash hash;
  hash.add(name(finding.kind));
  const std::string line = without_blanks(line_text(report.excerpt));
  if (finding.source.line != 0 && !line.empty()) {
    hash.add(path_in_repository(finding.source.file).value_or(finding.source.file));
    hash.add(line);
  } else {
    hash.add(report.variant);
    hash.add(report.property);
  }
  return hash.digits();
}

std::vector<Cause> causes(const properties::campaign::CampaignReport& totals) {
  using Key = std::tuple<FindingClass, bool, std::string, unsigned, std::string>;
  std::vector<Cause> all;
  std::map<Key, std::size_t> known;
  const auto add = [&](const FindingReport& report) {
    const Finding& finding = report.finding;
    const unsigned line = finding.source.line;
    const auto [entry, is_new] =
        known.try_emplace({finding.kind, finding.benign, finding.source.file, line,
                           line == 0 ? report.variant : std::string()},
                          all.size());
    if (is_new) all.emplace_back();
    all[entry->second].sights.push_back(&report);
  };
  for (const VariantReport& variant : totals.variants) {
    for (const FindingReport& finding : variant.findings) add(finding);
    for (const FindingReport& note : variant.notes) add(note);
  }
  return all;
}

Json notification(const std::string& text) {
  return {{"level", "warning"}, {"message", text_of(text)}};
}

Json invocation(const ReportContext& told) {
  Json all = Json::array();
  for (const VariantReport& variant : told.totals.variants) {
    if (variant.verdict != properties::campaign::Verdict::mistrusted) continue;
    all.push_back(notification(
        fmt::format("{}: mistrusted: no case's data could have shown a defect", variant.variant)));
  }
  for (const workflows::history::Drift& drift : told.drifts) {
    all.push_back(notification(
        fmt::format("{}: errs more than in the campaign of {} UTC", drift.variant, drift.since)));
  }
  Json run = {{"executionSuccessful", true}};
  if (!all.empty()) run["toolExecutionNotifications"] = all;
  return run;
}

/// Equal lines of a file have equal hashes; the number behind tells them apart, as GitHub's own do.
class Fingerprints {
 public:
  Json of(const FindingReport& report) {
    const std::string hash = fingerprint(report);
    return {{"primaryLocationLineHash", fmt::format("{}:{}", hash, ++seen_[hash])}};
  }

 private:
  std::map<std::string, int> seen_;
};

/// Empty where one of the sights is not known to the policy of a gate.
Json suppressions(const Cause& cause) {
  const auto known = [](const FindingReport* sight) { return !sight->known.empty(); };
  if (!std::all_of(cause.sights.begin(), cause.sights.end(), known)) return Json::array();
  return {{{"kind", "external"},
           {"status", "accepted"},
           {"justification", cause.sights.front()->known}}};
}

Json result_of(const Cause& cause, const ReportContext& told, Fingerprints& fingerprints) {
  const FindingReport& first = *cause.sights.front();
  const Finding& finding = first.finding;
  Json result = {{"ruleId", name(finding.kind)},
                 {"ruleIndex", static_cast<unsigned>(finding.kind)},
                 {"level", finding.benign ? "note" : "error"},
                 {"message", text_of(message(cause, told))}};
  if (Json places = locations(first, told); !places.is_null()) result["locations"] = places;
  if (Json others = related(finding); !others.empty()) result["relatedLocations"] = others;
  if (Json reasons = suppressions(cause); !reasons.empty()) result["suppressions"] = reasons;
  result["partialFingerprints"] = fingerprints.of(first);
  result["properties"] = {{"cases", cases(cause, told)}};
  return result;
}

}  // namespace

std::string sarif(const ReportContext& told) {
  Json results = Json::array();
  Fingerprints fingerprints;
  for (const Cause& cause : causes(told.totals)) {
    results.push_back(result_of(cause, told, fingerprints));
  }
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool",
          {{"driver",
            {{"name", "warpcheck"}, {"version", WARPCHECK_VERSION}, {"rules", rules_json()}}}}},
         {"invocations", {invocation(told)}},
         {"originalUriBaseIds",
          {{kRoot, {{"description", text_of("the root of the repository")}}}}},
         {"columnKind", "unicodeCodePoints"},
         {"results", results}}}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpcheck::report

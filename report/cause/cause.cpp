#include "report/cause/cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/content_hash.hpp"
#include "report/call_stack_text.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "report/finding/message.hpp"
#include "report/finding/notes.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/requirements/error_text.hpp"
#include "report/requirements/proof_requirements.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using campaign::FindingReport;
using campaign::VariantReport;

/// Blanks do not count: a line with other indentation is the same line.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return text;
}

std::string hash_of(const FindingReport& report) {
  const Finding& finding = report.finding;
  ContentHash hash;
  hash.add(name(finding.kind));
  const std::string line = without_blanks(source_line(report.excerpt));
  if (finding.source.line != 0 && !line.empty()) {
    hash.add(path_in_repository(finding.source.file).value_or(finding.source.file));
    hash.add(line);
  } else {
    hash.add(report.variant);
    hash.add(report.property);
  }
  return hash.digits();
}

void add_source_errors(const contract::TargetError& error, std::vector<OtherProblem>& problems) {
  const std::string target = shown_path(error.target);
  for (const PlacedError& placed : placed_errors(error)) {
    Location where = placed.where;
    std::error_code ignored;
    if (where.file.empty() && std::filesystem::exists(error.target, ignored)) {
      where = {error.target, 0, 0};
    }
    problems.push_back({kSourceError, fmt::format("{}: {}", target, placed.message), where,
                        fingerprint(kSourceError, target + placed.message)});
  }
}

bool is_unknown_proof(const Requirement& requirement) {
  return requirement.kind == kProofRequirement && requirement.state == RequirementState::undecided;
}

/// True if a requirement that is not met has the reasons of the proof.
bool is_required(const workflows::prove::VariantResult& proof, const Requirements& requirements) {
  return std::ranges::any_of(requirements.all, [&](const Requirement& one) {
    return one.kind == kProofRequirement && one.variant == proof.variant &&
           one.state == RequirementState::unmet;
  });
}

void add_unknown(const workflows::prove::VariantResult& proof,
                 std::vector<OtherProblem>& problems) {
  for (const workflows::prove::PropertyResult& property : proof.properties) {
    if (property.status() != workflows::prove::Status::unknown) continue;
    problems.push_back({kNotProved, open_text(proof.variant, property), property.proof.where,
                        fingerprint(kNotProved, fmt::format("{}: {}", proof.variant,
                                                            name(property.proof.property)))});
  }
}

}  // namespace

bool Cause::is_known() const {
  return std::all_of(findings.begin(), findings.end(),
                     [](const FindingReport* finding) { return !finding->known.empty(); });
}

std::vector<Cause> causes(const campaign::CampaignReport& campaign) {
  using Key = std::tuple<FindingClass, Grade, std::string, unsigned, std::string>;
  std::vector<Cause> all;
  std::map<Key, std::size_t> known;
  const auto add = [&](const FindingReport& report, bool fails) {
    const Finding& finding = report.finding;
    const unsigned line = finding.source.line;
    const auto [entry, is_new] =
        known.try_emplace({finding.kind, finding.grade, finding.source.file, line,
                           line == 0 ? report.variant : std::string()},
                          all.size());
    if (is_new) all.emplace_back();
    Cause& cause = all[entry->second];
    cause.findings.push_back(&report);
    cause.fails = cause.fails || fails;
  };
  for (const VariantReport& variant : campaign.variants) {
    for (const FindingReport& finding : variant.findings) add(finding, true);
    for (const FindingReport& note : variant.notes) add(note, false);
  }
  return all;
}

std::string cause_text(const Cause& cause, const ReportContext& context) {
  const FindingReport& first = *cause.findings.front();
  std::string text = fmt::format("{}: {}: {}", first.variant, name(first.finding.kind),
                                 message_text(first.finding));
  if (!first.diagnosis.empty()) text += "\nDiagnosis: " + diagnosis_text(first.diagnosis);
  for (const std::string& note : evidence_notes(first)) text += "\nNote: " + note;
  if (first.is_program()) {
    for (const device::RelatedStack& stack : first.stacks) {
      if (stack.frames.empty()) continue;
      text += fmt::format("\n{}: {}", stack.title, frame_text(stack.frames.front()));
    }
    return text;
  }
  return text + fmt::format("\nSmallest case: {}\nReplay: {}", to_line(first.smallest),
                            context.replay_of(first));
}

Location place_of(const FindingReport& report, const ReportContext& context) {
  const SourcePlace& source = report.finding.source;
  if (!source.file.empty()) return {source.file, source.line, source.column};
  Location where = source_of(report.variant, context);
  if (where.file.empty()) where.file = context.path_of(report.variant);
  return where;
}

Location source_of(const std::string& variant, const ReportContext& context) {
  const auto source = context.variant_sources.find(variant);
  return source == context.variant_sources.end() ? Location() : Location{source->second, 0, 0};
}

std::string source_line(const campaign::run::Excerpt& excerpt) {
  const std::size_t index = excerpt.line - excerpt.first_line;
  return index < excerpt.lines.size() ? excerpt.lines[index] : std::string();
}

std::string Fingerprints::of(const FindingReport& report) {
  const std::string hash = hash_of(report);
  return fmt::format("{}:{}", hash, ++seen_[hash]);
}

std::string fingerprint(std::string_view rule, std::string_view name) {
  ContentHash hash;
  hash.add(rule);
  hash.add(name);
  return hash.digits() + ":1";
}

std::vector<OtherProblem> other_problems(const ReportContext& context) {
  std::vector<OtherProblem> problems;
  for (const contract::TargetError& error : context.totals.errors) {
    add_source_errors(error, problems);
  }
  for (const Requirement* requirement : context.requirements.open()) {
    if (is_unknown_proof(*requirement)) continue;  // each property has a note
    Location where = requirement->where;
    if (where.file.empty()) where = source_of(requirement->variant, context);
    problems.push_back({kUnmetRequirement, requirement->reason, where,
                        fingerprint(kUnmetRequirement, requirement->name)});
  }
  for (const workflows::prove::VariantResult& proof : context.proofs) {
    if (!is_required(proof, context.requirements)) add_unknown(proof, problems);
  }
  return problems;
}

}  // namespace warpcheck::report

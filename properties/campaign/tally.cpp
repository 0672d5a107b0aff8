#include "properties/campaign/tally.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "properties/run/runner.hpp"

namespace warpcheck::properties::campaign {
namespace {

constexpr std::size_t kMostFindings = 3;         // of a variant
constexpr std::int64_t kCasesAfterFinding = 24;  // to see whether there is another one

/// The conjunct that excluded most; empty: none did.
std::string main_obstacle(const std::map<std::string, std::int64_t>& excluded) {
  std::string obstacle;
  std::int64_t most = 0;
  for (const auto& [conjunct, count] : excluded) {
    if (count <= most) continue;
    most = count;
    obstacle = conjunct;
  }
  return obstacle;
}

Share reach(generate::Interactions interactions, const std::set<std::string>& levels) {
  for (const std::string& row : levels) interactions.add(generate::row_from(row));
  return {static_cast<std::int64_t>(interactions.met()),
          static_cast<std::int64_t>(interactions.all())};
}

bool same_class_and_line(const Finding& one, const Finding& other) {
  return one.kind == other.kind && one.source.line == other.source.line &&
         one.source.file == other.source.file;
}

}  // namespace

Tally::Place Tally::place_of(const Finding& finding) {
  const SourcePlace& here = finding.source;
  const SourcePlace other = finding.other ? finding.other->source : SourcePlace{};
  return {finding.kind, finding.benign, run::was_refused(finding), here.file,
          here.line,    here.ptx_line,  finding.other.has_value(), other.file,
          other.line,   other.ptx_line};
}

void Tally::add(std::int64_t index, CaseResult& result) {
  if (result.error) std::rethrow_exception(result.error);
  if (index >= 0) count_drawn(index, result.drawn);
  if (result.asked) {
    ++report_.cases;
    levels_.insert(result.levels);
  }
  if (result.sensitivity) weigh(*result.sensitivity, result.shows_terms);
  if (result.error_over_bound) report_.histogram.add_error(*result.error_over_bound);
  std::erase_if(result.suspects, [&](const Failure& suspect) {
    return !places_.emplace(place_of(suspect.evidence.finding), is_awaited(suspect)).second;
  });
  std::erase_if(result.notes, [&](const Failure& note) {
    return !noted_.insert(place_of(note.evidence.finding)).second;
  });
  for (const Failure& suspect : result.suspects) take_suspect({index, false, suspect});
  for (const Failure& note : result.notes) take_note({index, true, note});
  const bool found_enough = !rule_.of_a_shard && suspects_.size() - awaited_ == kMostFindings;
  ended_ = found_enough || (patience_ends_at_ >= 0 && index >= patience_ends_at_);
}

void Tally::count_drawn(std::int64_t index, const generate::GeneratedCase& drawn) {
  ++report_.acceptance.drawn;
  if (drawn.excluded_by) {
    ++excluded_[*drawn.excluded_by];
  } else {
    ++report_.acceptance.inside;
  }
  drawn_ = index + 1;
}

bool Tally::is_awaited(const Failure& suspect) const {
  return rule_.awaited && rule_.awaited(suspect);
}

void Tally::take_suspect(FailureRecord sight) {
  const Finding& finding = sight.suspect.evidence.finding;
  const bool awaited = is_awaited(sight.suspect);
  // A launch that was refused says nothing of what the kernel does.
  if (!awaited && !run::was_refused(finding) && patience_ends_at_ < 0) {
    patience_ends_at_ = sight.index + kCasesAfterFinding;
  }
  const bool known =
      std::any_of(suspects_.begin(), suspects_.end(), [&](const FailureRecord& other) {
        return is_awaited(other.suspect) == awaited &&
               same_finding(finding, other.suspect.evidence.finding);
      });
  const std::size_t others = awaited ? awaited_ : suspects_.size() - awaited_;
  if (rule_.of_a_shard || (!known && others < kMostFindings)) {
    suspects_.push_back(std::move(sight));
    awaited_ += awaited ? 1 : 0;
  }
}

void Tally::take_note(FailureRecord sight) {
  const bool known = std::any_of(notes_.begin(), notes_.end(), [&](const FailureRecord& other) {
    return same_places(sight.suspect.evidence.finding, other.suspect.evidence.finding);
  });
  if (rule_.of_a_shard || !known) notes_.push_back(std::move(sight));
}

/// A case that is not meant to show terms may be trusted for itself, but says nothing about the
/// others.
void Tally::weigh(double sensitivity, bool shows_terms) {
  if (sensitivity == 0.0) ++report_.mistrusted;
  if (!shows_terms) return;
  ++judged_;
  if (sensitivity > 0.0) ++trusted_;
  sensitivities_ += sensitivity;
  report_.histogram.add_sensitivity(sensitivity);
}

VariantReport Tally::report(const generate::Combinations& combinations,
                            const std::function<FindingReport(const FailureRecord&)>& told) const {
  VariantReport report = report_;
  report.pair_coverage = reach(combinations.among(drawn_, 2), levels_);
  report.triple_coverage = reach(combinations.among(drawn_, 3), levels_);
  report.acceptance.excluded_by = main_obstacle(excluded_);
  std::vector<bool> awaited;  // of report.findings
  for (const FailureRecord& sight : suspects_) {
    FindingReport found = told(sight);
    bool known = false;
    for (std::size_t i = 0; i < awaited.size(); ++i) {
      known = known || (awaited[i] == is_awaited(sight.suspect) &&
                        same_class_and_line(report.findings[i].finding, found.finding));
    }
    if (known) continue;
    report.findings.push_back(std::move(found));
    awaited.push_back(is_awaited(sight.suspect));
  }
  for (const FailureRecord& note : notes_) report.notes.push_back(told(note));
  if (!report.findings.empty()) {
    report.verdict = Verdict::finding;
  } else if (judged_ > 0 && trusted_ == 0) {
    report.verdict = Verdict::mistrusted;
  }
  report.sensitivity = judged_ > 0 ? sensitivities_ / static_cast<double>(judged_) : 1.0;
  return report;
}

}  // namespace warpcheck::properties::campaign

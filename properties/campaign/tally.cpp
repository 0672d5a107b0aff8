#include "properties/campaign/tally.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "properties/run/runner.hpp"

namespace warpcheck::properties::campaign {
namespace {

constexpr std::size_t kMostFindings = 3;         // of a variant
constexpr std::int64_t kCasesAfterFinding = 24;  // which may show another finding

/// Returns the conjunct that excluded the most cases; empty if there is none.
std::string most_excluding(const std::map<std::string, std::int64_t>& excluded) {
  std::string excluding;
  std::int64_t most = 0;
  for (const auto& [conjunct, count] : excluded) {
    if (count <= most) continue;
    most = count;
    excluding = conjunct;
  }
  return excluding;
}

Share coverage_of(generate::Interactions interactions, const std::set<std::string>& levels) {
  for (const std::string& row : levels) interactions.add(generate::row_from(row));
  return {static_cast<std::int64_t>(interactions.met()),
          static_cast<std::int64_t>(interactions.all())};
}

/// Returns the levels that occurred, of those that belong to a possible pair: one that
/// `interactions`, in which no pair is met, does not exclude.
Share level_coverage_of(const generate::Interactions& interactions,
                        const std::set<std::string>& levels) {
  using Level = std::pair<std::size_t, std::size_t>;  // factor and level
  std::set<Level> possible;
  const auto add = [](std::set<Level>& to, const generate::Row& row) {
    for (std::size_t f = 0; f < row.size(); ++f) {
      if (row[f]) to.emplace(f, *row[f]);
    }
  };
  std::size_t from = 0;
  for (auto pair = interactions.missing(from); pair && *pair >= from;
       pair = interactions.missing(from)) {
    add(possible, interactions.row_of(*pair));
    from = *pair + 1;
  }
  std::set<Level> met;
  for (const std::string& row : levels) add(met, generate::row_from(row));
  possible.insert(met.begin(), met.end());
  return {static_cast<std::int64_t>(met.size()), static_cast<std::int64_t>(possible.size())};
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
  if (index >= 0) count_generated(index, result.generated);
  if (result.was_run && result.generated.problem.is_empty()) {
    ++report_.empty;
  } else if (result.was_run) {
    ++report_.cases;
    levels_.insert(result.levels);
  }
  if (result.sensitivity) add_sensitivity(*result.sensitivity, result.shows_terms);
  if (result.error_over_bound) report_.histogram.add_error(*result.error_over_bound);
  std::erase_if(result.failures, [&](const Failure& failure) {
    return !places_.emplace(place_of(failure.evidence.finding), is_known(failure)).second;
  });
  std::erase_if(result.notes, [&](const Failure& note) {
    return !noted_.insert(place_of(note.evidence.finding)).second;
  });
  for (const Failure& failure : result.failures) add_failure({index, false, failure});
  for (const Failure& note : result.notes) add_note({index, true, note});
  const bool found_enough =
      !rule_.of_a_shard && failures_.size() - known_failures_ == kMostFindings;
  ended_ = found_enough || (last_index_ >= 0 && index >= last_index_);
}

void Tally::count_generated(std::int64_t index, const generate::GeneratedCase& generated) {
  ++report_.acceptance.generated;
  if (generated.excluded_by) {
    ++excluded_[*generated.excluded_by];
  } else {
    ++report_.acceptance.inside;
  }
  generated_ = index + 1;
}

bool Tally::is_known(const Failure& failure) const {
  return rule_.is_known_failure && rule_.is_known_failure(failure);
}

void Tally::add_failure(FailureRecord record) {
  const Finding& finding = record.failure.evidence.finding;
  const bool known = is_known(record.failure);
  // A refused launch shows nothing about the kernel's code.
  if (!known && !run::was_refused(finding) && last_index_ < 0) {
    last_index_ = record.index + kCasesAfterFinding;
  }
  const bool repeated =
      std::any_of(failures_.begin(), failures_.end(), [&](const FailureRecord& other) {
        return is_known(other.failure) == known &&
               same_finding(finding, other.failure.evidence.finding);
      });
  const std::size_t others = known ? known_failures_ : failures_.size() - known_failures_;
  if (rule_.of_a_shard || (!repeated && others < kMostFindings)) {
    failures_.push_back(std::move(record));
    known_failures_ += known ? 1 : 0;
  }
}

void Tally::add_note(FailureRecord record) {
  const bool repeated = std::any_of(notes_.begin(), notes_.end(), [&](const FailureRecord& other) {
    return same_places(record.failure.evidence.finding, other.failure.evidence.finding);
  });
  if (rule_.of_a_shard || !repeated) notes_.push_back(std::move(record));
}

/// A case whose data does not expose the loss of single terms counts as mistrusted if it exposes
/// nothing, but is not part of the mean.
void Tally::add_sensitivity(double sensitivity, bool shows_terms) {
  if (sensitivity == 0.0) ++report_.mistrusted;
  if (!shows_terms) return;
  ++compared_;
  if (sensitivity > 0.0) ++trusted_;
  sensitivities_ += sensitivity;
  report_.histogram.add_sensitivity(sensitivity);
}

VariantReport Tally::report(
    const generate::Combinations& combinations,
    const std::function<FindingReport(const FailureRecord&)>& report_of) const {
  VariantReport report = report_;
  report.level_coverage = level_coverage_of(combinations.among(generated_, 2), levels_);
  report.pair_coverage = coverage_of(combinations.among(generated_, 2), levels_);
  report.triple_coverage = coverage_of(combinations.among(generated_, 3), levels_);
  report.acceptance.excluded_by = most_excluding(excluded_);
  std::vector<bool> are_known;  // of report.findings
  for (const FailureRecord& record : failures_) {
    FindingReport found = report_of(record);
    const bool known = is_known(record.failure);
    bool repeated = false;
    for (std::size_t i = 0; i < are_known.size(); ++i) {
      repeated = repeated || (are_known[i] == known &&
                              same_class_and_line(report.findings[i].finding, found.finding));
    }
    if (repeated) continue;
    report.findings.push_back(std::move(found));
    are_known.push_back(known);
  }
  for (const FailureRecord& note : notes_) report.notes.push_back(report_of(note));
  if (!report.findings.empty()) {
    report.verdict = Verdict::finding;
  } else if ((compared_ > 0 && trusted_ == 0) || (report.cases == 0 && report.empty > 0)) {
    report.verdict = Verdict::mistrusted;
  }
  report.sensitivity = compared_ > 0 ? sensitivities_ / static_cast<double>(compared_) : 1.0;
  return report;
}

}  // namespace warpcheck::properties::campaign

#include "campaign/tally.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <iterator>
#include <tuple>
#include <utility>

#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/run/runner.hpp"
#include "campaign/zero_factors.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::size_t kMostFindings = 10;  // findings of a variant
// Cases after a new signature, which may show another one.
constexpr std::int64_t kCasesAfterFailure = 48;
constexpr int kMostTimeouts = 2;  // each of these failures takes long
constexpr std::int64_t kMostCasesAfterFirst = 3 * kCasesAfterFailure;

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

/// Returns true if `one` shows its cause better: it has terms, and fewer regions and mistakes are
/// possible.
bool is_more_specific(const CauseRecord& one, const CauseRecord& other) {
  const auto rank = [](const CauseRecord& entry) {
    return std::tuple(lacks_terms(entry.record.failure.problem), std::popcount(entry.cause.regions),
                      std::popcount(entry.cause.mistakes));
  };
  return rank(one) < rank(other);
}

/// Joins the failures of one cause. Specific failures come first: one row that is wrong is the last
/// row or every row, depending on the other failures.
std::vector<CauseRecord> causes_of(std::vector<CauseRecord> failures) {
  std::stable_sort(failures.begin(), failures.end(), is_more_specific);
  std::vector<CauseRecord> causes;
  for (CauseRecord& failure : failures) {
    const auto same = std::find_if(causes.begin(), causes.end(), [&](const CauseRecord& cause) {
      return cause.known == failure.known && shrink::same_cause(cause.cause, failure.cause);
    });
    if (same == causes.end()) {
      causes.push_back(std::move(failure));
    } else {
      shrink::refine(same->cause, failure.cause);
      // A regression, which is minimal already, represents the cause.
      if (failure.record.index < 0 && same->record.index >= 0) same->record = failure.record;
      same->cases.insert(failure.cases.begin(), failure.cases.end());
    }
  }
  std::stable_sort(causes.begin(), causes.end(), [](const auto& one, const auto& other) {
    return std::pair(one.record.index, one.record.failure.number) <
           std::pair(other.record.index, other.record.failure.number);
  });
  return causes;
}

/// Returns true if one of the findings names the other one as a finding of the same cause.
bool has_same_cause(const Finding& one, const Finding& other) {
  const auto names = [](const Finding& finding, const Finding& named) {
    return std::any_of(finding.same_cause.begin(), finding.same_cause.end(),
                       [&](const Finding& same) { return same_places(same, named); });
  };
  return names(one, other) || names(other, one);
}

/// Returns true if a wrong result shows what an undefined value shows, which the same line loads.
bool follows_from(const FindingReport& wrong, const FindingReport& undefined) {
  const SourcePlace& here = wrong.finding.source;
  const SourcePlace& there = undefined.finding.source;
  return wrong.finding.kind == FindingClass::wrong_result && here.line != 0 &&
         here.line == there.line && here.file == there.file && shows_undefined_c(wrong, undefined);
}

/// Returns true if an undefined value shows what a race shows: the instruction that loaded it is
/// one of the two that race.
bool is_of_race(const FindingReport& undefined, const FindingReport& race) {
  const auto& origin = undefined.finding.origin;
  if (race.finding.kind != FindingClass::race || !origin) return false;
  const auto loads = [&](const SourcePlace& place) {
    return place.line != 0 && place.line == origin->source.line &&
           place.file == origin->source.file;
  };
  const auto has_load = [&](const Finding& one) {
    const bool is_elsewhere =
        origin->memory && one.memory && origin->memory->name != one.memory->name;
    return !is_elsewhere && (loads(one.source) || (one.other && loads(one.other->source)));
  };
  const std::vector<Finding>& same = race.finding.same_cause;
  return has_load(race.finding) || std::any_of(same.begin(), same.end(), has_load);
}

/// The findings of a report, each with its cause.
class Findings {
  struct Entry {
    FindingReport report;
    shrink::Signature cause;  // cause on the smallest case
    bool known;
    std::set<std::int64_t> cases;
    // Signature of the failures; empty: found while shrinking.
    std::optional<shrink::Signature> original;
  };

 public:
  /// Adds a finding, or adds its cases to the finding of the same cause.
  void add(FindingReport report, bool known, const std::set<std::int64_t>& cases,
           const shrink::Signature* original = nullptr) {
    const shrink::Signature cause = signature_of(report);
    const auto same = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return entry.known == known && (has_same_cause(entry.report.finding, report.finding) ||
                                      (shrink::same_after_shrinking(entry.cause, cause) &&
                                       !differ_in_terms(entry, report, original)));
    });
    if (same != entries_.end()) {
      same->cases.insert(cases.begin(), cases.end());
    } else if (std::count_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
                 return entry.known == known;
               }) < static_cast<std::ptrdiff_t>(kMostFindings)) {
      entries_.push_back({std::move(report), cause, known, cases, {}});
      if (original != nullptr) entries_.back().original = *original;
    }
  }

  using ConditionOf = std::function<std::optional<FailureCondition>(
      const FindingReport&, const std::set<std::int64_t>& cases)>;

  [[nodiscard]] std::vector<FindingReport> take(const ConditionOf& condition_of) {
    join_consequences();
    std::vector<FindingReport> reports;
    for (Entry& entry : entries_) {
      entry.report.condition = condition_of(entry.report, entry.cases);
      const auto cases = static_cast<std::int64_t>(entry.cases.size());
      entry.report.more_cases = std::max<std::int64_t>(cases - 1, 0);
      reports.push_back(std::move(entry.report));
    }
    return reports;
  }

 private:
  /// Shrinking removes all terms if the cause of wrong values does not depend on them. So findings
  /// have two causes if one needs terms, the other needs none, and their failures had a diagnosis
  /// and lay in different regions.
  static bool differ_in_terms(const Entry& entry, const FindingReport& report,
                              const shrink::Signature* original) {
    if (original == nullptr || !entry.original || report.finding.kind != FindingClass::wrong_result)
      return false;
    return lacks_terms(entry.report.smallest) != lacks_terms(report.smallest) &&
           original->mistakes != 0 && entry.original->mistakes != 0 &&
           (original->regions & entry.original->regions) == 0;
  }

  /// Moves wrong results to the undefined values from which they follow, and undefined values to
  /// the races from which they follow.
  void join_consequences() {
    for (auto wrong = entries_.begin(); wrong != entries_.end();) {
      const auto cause = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.known == wrong->known && (follows_from(wrong->report, entry.report) ||
                                               is_of_race(wrong->report, entry.report));
      });
      if (cause == entries_.end()) {
        ++wrong;
        continue;
      }
      cause->cases.insert(wrong->cases.begin(), wrong->cases.end());
      std::vector<Finding>& all = cause->report.finding.same_cause;
      std::vector<Finding> followed = std::exchange(wrong->report.finding.same_cause, {});
      all.push_back(std::move(wrong->report.finding));
      std::move(followed.begin(), followed.end(), std::back_inserter(all));
      wrong = entries_.erase(wrong);
    }
  }

  std::vector<Entry> entries_;
};

}  // namespace

void Tally::add(std::int64_t index, CaseResult& result) {
  if (result.error) std::rethrow_exception(result.error);
  if (index >= 0) count_generated(index, result.generated);
  if (result.was_run && launches_nothing(result.generated.problem)) {
    ++report_.empty;
  } else if (result.was_run) {
    ++report_.cases;
    if (!result.unsupported) levels_.insert(result.levels);
  }
  for (const CheckedProperty& checked : result.checked) {
    campaign::add(report_.properties, checked);
  }
  if (result.sensitivity) add_sensitivity(*result.sensitivity, result.shows_terms);
  if (result.error_over_bound) add_error(*result.error_over_bound);
  if (result.unsupported) campaign::add(report_.unsupported, *result.unsupported);
  std::erase_if(result.notes, [&](const Failure& note) {
    return !noted_.insert(shrink::signature_of(note.problem, note.evidence)).second;
  });
  add_seen(index, result);
  for (Failure& failure : result.failures) add_failure(index, failure);
  for (const Failure& note : result.notes) add_note({index, true, note});
  ended_ = ended_ || (last_index_ && index >= *last_index_);
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

bool Tally::is_known(const FindingReport& report) const {
  run::Evidence evidence;
  evidence.finding = report.finding;
  return rule_.is_known_failure &&
         is_known({report.original, &properties::law(report.property), evidence});
}

std::size_t Tally::failures() const { return causes_of(failures_).size(); }

bool Tally::has_enough_causes() const {
  if (rule_.is_shard) return false;
  const std::vector<CauseRecord> causes = causes_of(failures_);
  return std::count_if(causes.begin(), causes.end(), [](const auto& cause) {
           return !cause.known;
         }) >= static_cast<std::ptrdiff_t>(kMostFindings);
}

void Tally::add_failure(std::int64_t index, Failure& failure) {
  const bool known = is_known(failure);
  const shrink::Signature cause = shrink::signature_of(failure.problem, failure.evidence);
  const auto [entry, is_new] =
      signatures_.emplace(std::tuple(cause, known, lacks_terms(failure.problem)), failures_.size());
  if (!known && failure.evidence.finding.kind == FindingClass::timeout &&
      ++timeouts_ >= kMostTimeouts) {
    ended_ = true;
  }
  if (!is_new) {
    failures_[entry->second].cases.insert(index);
    failure.evidence.printed.clear();
    return;
  }
  failures_.push_back({{index, false, failure}, known, cause, {index}});
  // A refused launch shows nothing about the kernel's code.
  if (known || cause.refused) return;
  if (!first_failure_) first_failure_ = index;
  const std::int64_t latest = *first_failure_ + kMostCasesAfterFirst;
  // New signatures of other shards can extend the campaign up to the latest end.
  last_index_ = rule_.is_shard ? latest : std::min(index + kCasesAfterFailure, latest);
  ended_ = ended_ || has_enough_causes();
}

void Tally::add_seen(std::int64_t index, const CaseResult& result) {
  const properties::Law* const first = &properties::laws().front();
  const Case& problem = result.generated.problem;
  if (index < 0 || !result.was_run || launches_nothing(problem) || result.unsupported) return;
  const bool failed = !result.failures.empty();
  const bool decided =
      failed ? result.failures.front().property == first : result.sensitivity.value_or(0.0) > 0.0;
  if (decided) seen_.emplace(index, conditions::SeenCase{problem, failed});
}

/// The failing cases of other findings show nothing about this one.
std::optional<FailureCondition> Tally::condition_of(const FindingReport& report,
                                                    const std::set<std::int64_t>& cases) const {
  if (report.property != properties::laws().front().name) return std::nullopt;
  std::vector<conditions::SeenCase> seen;
  for (const auto& [index, one] : seen_) {
    if (!one.failed || cases.contains(index)) seen.push_back(one);
  }
  const auto found = conditions::separating_condition(seen, report.smallest);
  if (!found) return std::nullopt;
  return FailureCondition{found->condition, found->failing, found->passing};
}

void Tally::add_note(FailureRecord record) {
  const bool repeated = std::any_of(notes_.begin(), notes_.end(), [&](const FailureRecord& other) {
    return same_places(record.failure.evidence.finding, other.failure.evidence.finding);
  });
  if (rule_.is_shard || !repeated) notes_.push_back(std::move(record));
}

void Tally::add_error(double over_bound) {
  report_.error_over_bound = std::max(report_.error_over_bound.value_or(0.0), over_bound);
  report_.histogram.add_error(over_bound);
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
  Findings findings;
  for (const CauseRecord& cause : rule_.is_shard ? failures_ : causes_of(failures_)) {
    FindingReport found = report_of(cause.record);
    std::vector<FindingReport> others = std::move(found.others);
    found.others.clear();
    findings.add(std::move(found), cause.known, cause.cases, &cause.cause);
    for (FindingReport& other : others) {
      const bool known = is_known(other);
      findings.add(std::move(other), known, {});
    }
  }
  report.findings =
      findings.take([&](const FindingReport& finding, const std::set<std::int64_t>& cases) {
        return condition_of(finding, cases);
      });
  for (const FailureRecord& note : notes_) report.notes.push_back(report_of(note));
  if (!report.findings.empty()) {
    report.verdict = Verdict::finding;
  } else if (!report.unsupported.empty()) {
    report.verdict = Verdict::unsupported;
  } else if ((compared_ > 0 && trusted_ == 0) || (report.cases == 0 && report.empty > 0)) {
    report.verdict = Verdict::mistrusted;
  }
  if (compared_ > 0) {
    report.sensitivity = sensitivities_ / static_cast<double>(compared_);
  } else if (report.unsupported.empty()) {
    report.sensitivity = 1.0;
  }
  return report;
}

}  // namespace warpcheck::campaign

// Accumulation of the results of one variant's cases into its report. The results come from a
// running campaign, from the journal of an interrupted one, or from shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "campaign/conditions/separation.hpp"
#include "campaign/run_case.hpp"

namespace warpcheck::campaign {

/// A failure or a note, and the case of the campaign that led to it.
struct FailureRecord {
  std::int64_t index = 0;  // index of the case
  bool note = false;
  Failure failure;
};

/// Failures of one cause.
struct CauseRecord {
  FailureRecord record;     // the one that shows the cause best
  bool known = false;       // see CampaignOptions::is_known_failure
  shrink::Signature cause;  // refined by each of the failures
  std::set<std::int64_t> cases;
};

struct TallyRule {
  /// A shard does not have the results of the other shards. It keeps every failure that may be new
  /// to the whole campaign, and runs until the cases after its first failure are used up.
  bool is_shard = false;
  std::function<bool(const Failure&)> is_known_failure = {};  // see CampaignOptions; null: none
};

class Tally {
 public:
  explicit Tally(TallyRule rule = {}) : rule_(std::move(rule)) {}

  /// Adds the cases in the order of their indices; regressions have negative indices. Removes from
  /// the result all notes of which an earlier case gave an exact copy, and the printed output of
  /// such failures. Another tally reaches the same report from the rest.
  void add(std::int64_t index, CaseResult& result);

  /// Returns true if the variant has failed often enough: with ten causes, with two timeouts, if
  /// the last 48 cases added no signature of a failure, or 144 cases after the first failure.
  /// Further cases are not counted.
  [[nodiscard]] bool ended() const { return ended_; }

  /// Cases run so far.
  [[nodiscard]] std::int64_t cases() const { return report_.cases; }

  /// Number of causes so far, before the failures are shrunk.
  [[nodiscard]] std::size_t failures() const;

  /// One more than the index of the last case; 0 before the first.
  [[nodiscard]] std::int64_t generated() const { return generated_; }

  /// Returns the report of the variant. `combinations` are those that generated() cases can
  /// contain, as far as is known; `report_of` returns the report of a failure or note. Two failures
  /// that have the same cause after shrinking are one finding.
  [[nodiscard]] VariantReport report(
      const generate::Combinations& combinations,
      const std::function<FindingReport(const FailureRecord&)>& report_of) const;

 private:
  void count_generated(std::int64_t index, const generate::GeneratedCase& generated);
  void add_error(double over_bound);
  void add_sensitivity(double sensitivity, bool shows_terms);
  [[nodiscard]] bool is_known(const Failure& failure) const;
  [[nodiscard]] bool is_known(const FindingReport& report) const;
  [[nodiscard]] bool has_enough_causes() const;
  void add_failure(std::int64_t index, Failure& failure);
  void add_note(FailureRecord record);
  void add_seen(std::int64_t index, const CaseResult& result);
  [[nodiscard]] std::optional<FailureCondition> condition_of(
      const FindingReport& report, const std::set<std::int64_t>& cases) const;

  TallyRule rule_;
  VariantReport report_;
  // The first failure of each signature, with all of its cases. The failures of all shards
  // determine which signatures have one cause.
  std::vector<CauseRecord> failures_;
  std::vector<FailureRecord> notes_;
  /// Indices in failures_ by the signature, and by two flags: the failure is known; it lacks terms.
  std::map<std::tuple<shrink::Signature, bool, bool>, std::size_t> signatures_;
  std::set<shrink::Signature> noted_;
  std::map<std::string, std::int64_t> excluded_;
  // Cases that violate the first property, or pass and could have exposed a defect, by index.
  std::map<std::int64_t, conditions::SeenCase> seen_;
  std::set<std::string> levels_;  // level combinations of the cases that were run
  std::int64_t generated_ = 0;
  std::int64_t compared_ = 0;                  // cases with terms, compared with the reference
  std::int64_t trusted_ = 0;                   // compared cases with a sensitivity above 0
  double sensitivities_ = 0.0;                 // sum over the compared cases
  std::optional<std::int64_t> first_failure_;  // index of its case; empty: no failure so far
  std::optional<std::int64_t> last_index_;     // index of the last case to run; empty: no limit
  int timeouts_ = 0;
  bool ended_ = false;
};

}  // namespace warpcheck::campaign

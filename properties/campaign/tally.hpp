// Accumulation of the results of one variant's cases into its report. The results come from a
// running campaign, from the journal of an interrupted one, or from shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/campaign/run_case.hpp"

namespace warpcheck::properties::campaign {

/// A failure or a note, and the case of the campaign that led to it.
struct FailureRecord {
  std::int64_t index = 0;  // of the case
  bool note = false;
  Failure failure;
};

struct TallyRule {
  /// A shard does not have the results of the other shards. It keeps every failure that may be new
  /// to the whole campaign, and runs until the cases after its first failure are used up.
  bool of_a_shard = false;
  std::function<bool(const Failure&)> is_known_failure = {};  // see CampaignOptions; null: none
};

class Tally {
 public:
  explicit Tally(TallyRule rule = {}) : rule_(std::move(rule)) {}

  /// Adds the cases in the order of their indices; regressions have negative indices. Removes from
  /// the result all failures and notes of which an earlier case gave an exact copy. Another tally
  /// reaches the same report from the remaining ones.
  void add(std::int64_t index, CaseResult& result);

  /// Returns true if the variant has failed often enough. Further cases are not counted.
  [[nodiscard]] bool ended() const { return ended_; }

  /// Cases run so far.
  [[nodiscard]] std::int64_t cases() const { return report_.cases; }

  /// Number of failures so far, before they are shrunk and located.
  [[nodiscard]] std::size_t failures() const { return failures_.size(); }

  /// One more than the index of the last case; 0 before the first.
  [[nodiscard]] std::int64_t generated() const { return generated_; }

  /// Returns the report of the variant. `combinations` are those that generated() cases can
  /// contain, as far as is known; `report_of` returns the report of a failure or note. Two failures
  /// that have the same class and line after shrinking are one finding.
  [[nodiscard]] VariantReport report(
      const generate::Combinations& combinations,
      const std::function<FindingReport(const FailureRecord&)>& report_of) const;

 private:
  /// The exact place of a finding. Unlike same_finding(), equality of places is transitive.
  using Place = std::tuple<FindingClass, bool, bool, std::string, unsigned, unsigned, bool,
                           std::string, unsigned, unsigned>;
  [[nodiscard]] static Place place_of(const Finding& finding);

  void count_generated(std::int64_t index, const generate::GeneratedCase& generated);
  void add_sensitivity(double sensitivity, bool shows_terms);
  [[nodiscard]] bool is_known(const Failure& failure) const;
  void add_failure(FailureRecord record);
  void add_note(FailureRecord record);

  TallyRule rule_;
  VariantReport report_;
  std::vector<FailureRecord> failures_;
  std::vector<FailureRecord> notes_;
  std::set<std::pair<Place, bool>> places_;  // of failures, and whether they are known
  std::set<Place> noted_;
  std::map<std::string, std::int64_t> excluded_;
  std::set<std::string> levels_;  // of the factors of the cases that were run
  std::int64_t generated_ = 0;
  std::int64_t compared_ = 0;       // cases with terms, compared with the reference
  std::int64_t trusted_ = 0;        // of them: with a sensitivity above 0
  double sensitivities_ = 0.0;      // sum over the compared cases
  std::size_t known_failures_ = 0;  // of failures_
  std::int64_t last_index_ = -1;
  bool ended_ = false;
};

}  // namespace warpcheck::properties::campaign

// The cases of one variant folded into what its campaign says of it, whether they are being run,
// were run before a campaign was interrupted, or come from its shards.
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

/// A suspect, or a note, and where in the campaign it was met.
struct FailureRecord {
  std::int64_t index = 0;  // of the case
  bool note = false;
  Failure suspect;
};

struct TallyRule {
  /// A shard cannot know which of its suspects are new to the whole campaign, nor when that has
  /// found enough: it keeps all that may be and runs on until its patience is at an end.
  bool of_a_shard = false;
  std::function<bool(const Failure&)> awaited = {};  // see CampaignOptions; null: none is
};

class Tally {
 public:
  explicit Tally(TallyRule rule = {}) : rule_(std::move(rule)) {}

  /// In the order of the indices; those before 0 are of regressions, which were not drawn. Leaves
  /// in the result only those suspects and notes of which no earlier case gave an exact copy: what
  /// is left is all that another tally needs of the case, to come to the same end as if it had been
  /// told everything.
  void add(std::int64_t index, CaseResult& result);

  /// Whether the variant has failed often enough, so that further cases would not be counted.
  [[nodiscard]] bool ended() const { return ended_; }

  /// Asked so far.
  [[nodiscard]] std::int64_t cases() const { return report_.cases; }

  /// Findings so far, before they are shrunk and located.
  [[nodiscard]] std::size_t suspects() const { return suspects_.size(); }

  /// One more than the index of the last case; 0 before the first.
  [[nodiscard]] std::int64_t drawn() const { return drawn_; }

  /// What is said of the variant; `combinations` are those that drawn() cases are known to be able
  /// to meet, or more; `told` makes of a sight what a person reads. Two suspects may
  /// turn out to be one finding when they have been shrunk and located.
  [[nodiscard]] VariantReport report(
      const generate::Combinations& combinations,
      const std::function<FindingReport(const FailureRecord&)>& told) const;

 private:
  /// Where a finding was met, to the letter. Unlike same_finding(), being equal in this is
  /// transitive: two equal ones are the same finding as the same others.
  using Place = std::tuple<FindingClass, bool, bool, std::string, unsigned, unsigned, bool,
                           std::string, unsigned, unsigned>;
  [[nodiscard]] static Place place_of(const Finding& finding);

  void count_drawn(std::int64_t index, const generate::GeneratedCase& drawn);
  void weigh(double sensitivity, bool shows_terms);
  [[nodiscard]] bool is_awaited(const Failure& suspect) const;
  void take_suspect(FailureRecord sight);
  void take_note(FailureRecord sight);

  TallyRule rule_;
  VariantReport report_;
  std::vector<FailureRecord> suspects_;
  std::vector<FailureRecord> notes_;
  std::set<std::pair<Place, bool>> places_;  // of suspects, and whether they were awaited
  std::set<Place> noted_;
  std::map<std::string, std::int64_t> excluded_;
  std::set<std::string> levels_;  // of the asked cases' factors
  std::int64_t drawn_ = 0;
  std::int64_t judged_ = 0;     // cases with terms, compared with the reference
  std::int64_t trusted_ = 0;    // of them: with sensitivity
  double sensitivities_ = 0.0;  // of them together
  std::size_t awaited_ = 0;     // of suspects_
  std::int64_t patience_ends_at_ = -1;
  bool ended_ = false;
};

}  // namespace warpcheck::properties::campaign

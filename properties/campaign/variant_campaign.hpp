// The campaign of one variant: its cases on all threads, their tally, and what came of its
// suspects.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/campaign/journal.hpp"
#include "properties/campaign/run_case.hpp"
#include "properties/campaign/tally.hpp"

namespace warpcheck::properties::campaign {

class VariantCampaign {
 public:
  using Clock = std::chrono::steady_clock;
  using Progress =
      std::function<void(std::int64_t cases, std::size_t findings, std::string_view activity)>;

  /// All but `progress` outlive it; `journal` may be null.
  VariantCampaign(const RunContext& bench, const CampaignOptions& options, unsigned jobs,
                  Journal* journal, Progress progress);

  /// Until the cases, the time (empty: no limit) or the patience with a failing variant is at an
  /// end.
  [[nodiscard]] VariantReport run(std::optional<Clock::time_point> deadline);

 private:
  /// The next of this shard's cases, as many as keep all threads busy for a while.
  [[nodiscard]] std::vector<IndexedResult> next_chunk();
  void ask(std::vector<IndexedResult*> cases);
  void ask(IndexedResult& item) const;
  [[nodiscard]] CaseResult answer(const RunContext& bench, std::int64_t index) const;
  [[nodiscard]] FindingReport told(const FailureRecord& sight);
  [[nodiscard]] FindingReport told_once(const FailureRecord& sight);
  /// Regressions have the indices before 0.
  [[nodiscard]] const Regression& regression(std::int64_t index) const;
  [[nodiscard]] bool is_other_regression(std::int64_t index, const CaseResult& recorded) const;
  [[nodiscard]] FindingReport investigated(const Failure& suspect);
  void tell_progress(std::string_view activity) {
    progress_(tally_.cases(), tally_.suspects(), activity);
  }

  const RunContext& bench_;
  const CampaignOptions& options_;
  unsigned jobs_;
  Journal* journal_;
  Progress progress_;
  PropertyRotation agenda_;
  generate::CaseGenerator generator_;
  Tally tally_;
  device::Coverage coverage_;  // of the cases that were counted
  std::map<std::int64_t, CaseResult> recorded_;
  std::vector<Regression> regressions_;
  std::int64_t next_ = 0;
};

}  // namespace warpcheck::properties::campaign

// The campaign of one variant: runs its cases on all threads, tallies the results and minimizes the
// failures.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/campaign/journal.hpp"
#include "properties/campaign/lines/required_lines.hpp"
#include "properties/campaign/run_case.hpp"
#include "properties/campaign/tally.hpp"

namespace warpcheck::properties::campaign {

class VariantCampaign {
 public:
  using Clock = std::chrono::steady_clock;
  using Progress =
      std::function<void(std::int64_t cases, std::size_t findings, std::string_view activity)>;

  /// Keeps references to all arguments except `progress`; `journal` may be null.
  VariantCampaign(const RunContext& context, const CampaignOptions& options, unsigned jobs,
                  Journal* journal, Progress progress);

  /// Runs until all cases are done, the deadline (empty: none) has passed, the campaign is
  /// interrupted, or the variant has failed often enough.
  [[nodiscard]] VariantReport run(std::optional<Clock::time_point> deadline);

 private:
  /// Returns the next cases of this shard, at most `per_thread` per thread. The campaign ends after
  /// CampaignOptions::cases cases that are not empty.
  [[nodiscard]] std::vector<IndexedResult> next_chunk(std::size_t per_thread);
  void add_missing_limits(CaseResult& result) const;
  void run_cases(std::vector<IndexedResult*> cases);
  void run_one(IndexedResult& item) const;
  [[nodiscard]] CaseResult result_of(const RunContext& context, IndexedResult& item) const;
  void add(IndexedResult& item);
  void report_lines(VariantReport& report);
  [[nodiscard]] FindingReport reported(const FailureRecord& record);
  [[nodiscard]] FindingReport recorded_or_minimized(const FailureRecord& record);
  /// Regressions have negative indices.
  [[nodiscard]] const Regression& regression(std::int64_t index) const;
  [[nodiscard]] bool is_other_regression(std::int64_t index, const CaseResult& recorded) const;
  [[nodiscard]] FindingReport minimized(const Failure& failure);
  [[nodiscard]] FindingReport minimized_until_interrupted(const Failure& failure);
  [[nodiscard]] bool interrupted() const {
    return options_.interrupted != nullptr && *options_.interrupted;
  }
  void report_progress(std::string_view activity) {
    progress_(tally_.cases(), tally_.failures(), activity);
  }

  const RunContext& context_;
  const CampaignOptions& options_;
  unsigned jobs_;
  Journal* journal_;
  Progress progress_;
  PropertyRotation rotation_;
  generate::CaseGenerator generator_;
  double shrink_seconds_left_;  // of all findings together
  Tally tally_;
  device::Coverage coverage_;  // of the cases that were counted
  std::map<std::int64_t, CaseResult> recorded_;
  std::vector<Regression> regressions_;
  std::int64_t next_ = 0;
  std::int64_t planned_ = 0;                  // cases before next_ that are not empty
  std::optional<Clock::time_point> stop_at_;  // launches
  std::int64_t stopped_ = 0;                  // cases
  std::optional<Case> stopped_case_;          // the first of them
  std::optional<RequiredLines> lines_;
};

}  // namespace warpcheck::properties::campaign

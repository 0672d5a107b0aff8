// The campaign of one variant: runs its cases on any number of threads, tallies the results in the
// order of the cases and minimizes the failures.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "campaign/journal.hpp"
#include "campaign/lines/required_lines.hpp"
#include "campaign/run_case.hpp"
#include "campaign/tally.hpp"

namespace warpcheck::campaign {

/// Threads call claim() and run() at once. When is_done() returns true, one of them calls finish().
/// The campaign ends when all cases are done, the deadline has passed, the campaign is interrupted,
/// or the variant has failed often enough.
class VariantCampaign {
 public:
  using Clock = std::chrono::steady_clock;
  using Progress =
      std::function<void(std::int64_t cases, std::size_t findings, std::string_view activity)>;

  /// Keeps references to `context` and `options`; `journal` may be null, an empty deadline is none.
  /// They are called by any thread; so is `progress`, by one at a time.
  VariantCampaign(const run::Context& context, const CampaignOptions& options,
                  std::unique_ptr<VariantJournal> journal, Progress progress,
                  std::optional<Clock::time_point> deadline);

  /// Returns true if further cases are to be planned: by plan(), which the calling thread then
  /// calls.
  [[nodiscard]] bool claim_plan();
  void plan();

  /// The limits of the number of cases ahead of those that are counted. The first cases of a
  /// variant are claimed one by one, since each case of a kernel that does not end takes long.
  /// Later, twice as many cases as are counted may be ahead, within these limits.
  struct Ahead {
    std::int64_t least = 1;
    std::int64_t most = 1;
  };

  /// Returns the next case to run; empty: none at present.
  [[nodiscard]] std::optional<std::int64_t> claim(Ahead ahead);

  /// Returns the time of the cases that are not claimed, on one thread, if each takes as long as
  /// those so far did on average; infinite before the first.
  [[nodiscard]] double seconds_left() const;

  /// Generates and runs a claimed case, and counts the results that are complete up to here. Claims
  /// and runs further cases for some milliseconds, so that threads seldom look for work.
  void run(std::int64_t index, Ahead ahead);

  /// Returns true if no case runs, and none will be claimed.
  [[nodiscard]] bool is_done() const;

  /// Minimizes the failures. Throws what a case or the journal threw.
  [[nodiscard]] VariantReport finish();

 private:
  [[nodiscard]] bool may_claim() const;
  [[nodiscard]] std::optional<std::int64_t> claim_locked(Ahead ahead);
  [[nodiscard]] IndexedResult result_at(std::int64_t index) const;
  [[nodiscard]] run::Context context_of_case(run::Observation* observation) const;
  [[nodiscard]] std::vector<const properties::Law*> laws_of(std::int64_t index) const;
  void add_limits(CaseResult& result) const;
  [[nodiscard]] bool is_of_this_shard(std::int64_t index) const;
  void receive(IndexedResult item, std::unique_lock<std::mutex>& lock);
  void count_complete(std::unique_lock<std::mutex>& lock);
  void count(IndexedResult& item);
  void add(IndexedResult& item);
  void record_fresh();
  void report_lines(VariantReport& report);
  [[nodiscard]] FindingReport reported(const FailureRecord& record);
  [[nodiscard]] FindingReport recorded_or_minimized(const FailureRecord& record);
  /// Regressions have negative indices.
  [[nodiscard]] const Regression& regression(std::int64_t index) const;
  [[nodiscard]] bool is_recorded(std::int64_t index) const;
  [[nodiscard]] FindingReport minimized(const Failure& failure);
  void subtract_work(const FindingReport& report);
  [[nodiscard]] FindingReport minimized_until_interrupted(const Failure& failure);
  [[nodiscard]] bool interrupted() const {
    return options_.interrupted != nullptr && *options_.interrupted;
  }

  const run::Context& context_;
  const CampaignOptions& options_;
  std::unique_ptr<VariantJournal> journal_;
  Progress progress_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> stop_at_;  // end of the time for launches
  PropertyRotation rotation_;
  generate::CaseGenerator cases_;
  std::map<std::int64_t, CaseResult> recorded_;
  std::vector<Regression> regressions_;
  std::uint64_t shrink_work_left_;  // work left for all findings together

  // Results are counted by one thread at a time.
  Tally tally_;
  device::Coverage coverage_;  // coverage of the counted cases
  std::optional<RequiredLines> lines_;
  std::atomic<bool> needs_lines_ = false;  // some line has not been executed
  std::vector<IndexedResult> fresh_;       // results that the journal does not have yet
  Clock::time_point recorded_at_ = Clock::now();
  std::int64_t stopped_ = 0;          // cases that were stopped
  std::optional<Case> stopped_case_;  // the first of the stopped cases

  mutable std::mutex mutex_;  // guards all fields below
  std::int64_t first_ = 0;    // index of the first case; below 0: regressions
  std::int64_t next_ = 0;     // index of the next case to claim
  std::int64_t counted_ = 0;  // all cases before this index are counted
  std::int64_t running_ = 0;  // running cases and calls of plan()
  std::int64_t ended_cases_ = 0;
  double case_seconds_ = 0.0;  // total time of the ended cases
  std::int64_t plan_end_ = 0;
  bool planning_ = false;
  std::int64_t empty_ = 0;                         // claimed cases that are known to be empty
  std::map<std::int64_t, IndexedResult> waiting_;  // results that are not counted yet, by index
  bool counting_ = false;
  bool ended_ = false;  // no further results are counted
  std::exception_ptr error_;
};

}  // namespace warpcheck::campaign

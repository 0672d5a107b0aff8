// The campaigns of all variants of a campaign on the same threads: while the last cases of one
// variant run and its failures are minimized, other threads run cases of the next.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "campaign/variant_campaign.hpp"

namespace warpcheck::campaign {

class VariantQueue {
 public:
  struct Functions {
    /// Begins the campaign of variant number `index`. Called once for each variant, by any thread.
    std::function<std::unique_ptr<VariantCampaign>(std::size_t index)> open;
    /// Receives the reports in the order of the variants, one at a time. An exception ends the run.
    std::function<void(std::size_t index, VariantReport report)> finished;
    /// Receives in their place the exception of a variant. If it throws, the run ends.
    std::function<void(std::size_t index, const std::exception_ptr& error)> failed;
    std::function<bool()> interrupted;
  };

  VariantQueue(std::size_t variants, unsigned jobs, Functions functions);

  /// Runs all variants on `jobs` threads. If interrupted, returns after those that had begun.
  /// Rethrows an exception of `finished` or `failed`.
  void run();

  /// Returns the number of variants that run at once if there are as many.
  [[nodiscard]] std::size_t at_once() const;

  /// Returns the number of the first variant that is not reported. Thread-safe.
  [[nodiscard]] std::size_t front() const { return front_; }

 private:
  enum class State { waiting, opening, open, finishing, finished };
  struct Entry {
    State state = State::waiting;
    std::unique_ptr<VariantCampaign> campaign;
    std::optional<VariantReport> report;
    std::exception_ptr error;
  };
  using Task = std::function<void()>;

  void work();
  [[nodiscard]] Task wait_for_task();
  [[nodiscard]] std::vector<std::size_t> open_entries() const;
  [[nodiscard]] Task next_task();
  [[nodiscard]] bool may_open() const;
  [[nodiscard]] Task open_next();
  [[nodiscard]] Task task_of(Entry& entry, std::int64_t least);
  void open(std::size_t index);
  void finish(Entry& entry);
  void report_finished();
  void report(std::size_t index);

  std::vector<Entry> entries_;
  unsigned jobs_;
  Functions functions_;
  std::mutex mutex_;  // guards the states of the entries and all fields below
  std::condition_variable changed_;
  std::atomic<std::size_t> front_ = 0;  // the first entry that is not reported
  std::size_t opened_ = 0;
  unsigned busy_ = 0;     // threads with a task
  unsigned opening_ = 0;  // variants that threads are opening
  bool stopped_ = false;
  bool reporting_ = false;
};

}  // namespace warpcheck::campaign

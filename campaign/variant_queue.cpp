#include "campaign/variant_queue.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel_for.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::int64_t kMostAheadPerThread = 16;  // cases whose results wait for an earlier one
constexpr unsigned kManyThreads = 8;
constexpr unsigned kThreadsPerOpening = 4;  // the others run cases of the variants that are open

}  // namespace

VariantQueue::VariantQueue(std::size_t variants, unsigned jobs, Functions functions)
    : entries_(variants), jobs_(jobs), functions_(std::move(functions)) {}

std::size_t VariantQueue::at_once() const { return jobs_ < kManyThreads ? 1 : jobs_; }

void VariantQueue::run() {
  run_workers(jobs_, [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_all();
      throw;
    }
  });
}

void VariantQueue::work() {
  while (const Task task = wait_for_task()) {
    task();
    report_finished();
    const std::lock_guard lock(mutex_);
    --busy_;
  }
}

/// Returns null when no thread will have a task any more. A thread that finds a task wakes one
/// other thread. If all threads woke at once, each would wait until the others have searched all
/// variants.
VariantQueue::Task VariantQueue::wait_for_task() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stopped_) return {};
    if (Task task = next_task()) {
      ++busy_;
      changed_.notify_one();
      return task;
    }
    if (busy_ == 0) {
      changed_.notify_all();
      return {};
    }
    changed_.wait(lock);
  }
}

/// Returns the numbers of the entries that may have tasks. The first ones come first, so that their
/// reports do. When all variants are open, many threads take those with the most time left first,
/// so that all end together: one alone does not plan its cases as fast as many threads run them,
/// and the last ones to run should be short.
std::vector<std::size_t> VariantQueue::open_entries() const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = front_; i < opened_; ++i) {
    if (entries_[i].state == State::open) numbers.push_back(i);
  }
  if (opened_ < entries_.size() || jobs_ < kManyThreads) return numbers;
  std::vector<std::pair<double, std::size_t>> left;
  for (const std::size_t i : numbers) left.emplace_back(-entries_[i].campaign->seconds_left(), i);
  std::ranges::sort(left);
  std::ranges::transform(left, numbers.begin(), [](const auto& one) { return one.second; });
  return numbers;
}

/// A variant begins with one case at a time as long as there are others. Many threads open as many
/// variants as they are, so that few are left for the end, when they would wait for each other.
VariantQueue::Task VariantQueue::next_task() {
  const std::vector<std::size_t> numbers = open_entries();
  if (numbers.size() + opening_ < at_once() && may_open()) return open_next();
  for (const std::size_t i : numbers) {
    if (Task task = task_of(entries_[i], 1)) return task;
  }
  if (may_open()) return open_next();
  for (const std::size_t i : numbers) {
    if (Task task = task_of(entries_[i], jobs_)) return task;
  }
  return {};
}

bool VariantQueue::may_open() const {
  const unsigned most = std::max(2U, jobs_ / kThreadsPerOpening);
  return opened_ < entries_.size() && opening_ < most && !functions_.interrupted();
}

VariantQueue::Task VariantQueue::open_next() {
  const std::size_t index = opened_++;
  ++opening_;
  entries_[index].state = State::opening;
  return [this, index] { open(index); };
}

VariantQueue::Task VariantQueue::task_of(Entry& entry, std::int64_t least) {
  VariantCampaign& campaign = *entry.campaign;
  if (campaign.claim_plan()) {
    return [&campaign] { campaign.plan(); };
  }
  const VariantCampaign::Ahead ahead{least, kMostAheadPerThread * jobs_};
  if (const auto index = campaign.claim(ahead)) {
    return [&campaign, ahead, index = *index] { campaign.run(index, ahead); };
  }
  if (!campaign.is_done()) return {};
  entry.state = State::finishing;
  return [this, &entry] { finish(entry); };
}

void VariantQueue::open(std::size_t index) {
  Entry& entry = entries_[index];
  try {
    entry.campaign = functions_.open(index);
  } catch (...) {
    entry.error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  --opening_;
  entry.state = entry.error ? State::finished : State::open;
}

void VariantQueue::finish(Entry& entry) {
  try {
    entry.report = entry.campaign->finish();
  } catch (...) {
    entry.error = std::current_exception();
  }
  entry.campaign.reset();
  const std::lock_guard lock(mutex_);
  entry.state = State::finished;
}

/// One thread reports; the others do not wait for it.
void VariantQueue::report_finished() {
  std::unique_lock lock(mutex_);
  if (reporting_) return;
  reporting_ = true;
  while (!stopped_ && front_ < entries_.size() && entries_[front_].state == State::finished) {
    const std::size_t index = front_;
    lock.unlock();
    report(index);
    lock.lock();
    ++front_;
  }
  reporting_ = false;
}

void VariantQueue::report(std::size_t index) {
  Entry& entry = entries_[index];
  if (entry.error) {
    functions_.failed(index, std::exchange(entry.error, nullptr));
  } else {
    functions_.finished(index, std::move(*entry.report));
    entry.report.reset();
  }
}

}  // namespace warpcheck::campaign

#include "campaign/run/devices/memoizing_device.hpp"

#include <cstddef>
#include <tuple>

namespace warpcheck::campaign::run {
namespace {

using device::Job;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

/// All that determines the outcome of a job that is not stopped.
auto inputs(const Job& job) {
  return std::tie(job.schedule_seed, job.interleave, job.instruction_budget, job.budget_divisor,
                  job.watch, job.count, job.cover, job.digest, job.track_origins, job.exact_indices,
                  job.limits_only, job.launches, job.predecessor, job.buffers);
}

bool is_large(const Job& job) {
  std::size_t bytes = 0;
  for (const device::Buffer& buffer : job.buffers) bytes += buffer.bytes.size();
  return bytes > kMostBytes;
}

}  // namespace

device::Outcome MemoizingDevice::run(const device::Program& program, const Job& job) {
  if (first_ && first_->program == &program && inputs(first_->job) == inputs(job)) {
    return first_->outcome;
  }
  device::Outcome outcome = inner().run(program, job);
  const bool is_first = !has_run_;
  has_run_ = true;
  if (is_first && inner().is_deterministic() && !outcome.stopped && !is_large(job)) {
    first_.emplace(Known{&program, job, outcome});
  }
  return outcome;
}

}  // namespace warpcheck::campaign::run

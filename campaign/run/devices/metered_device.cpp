#include "campaign/run/devices/metered_device.hpp"

#include <algorithm>

namespace warpcheck::campaign::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kBytesOfUnit = 32;
// Timeouts that use up the budget, if the device counts no instructions.
constexpr std::uint64_t kTimeouts = 32;

bool has_timeout(const device::Outcome& outcome) {
  return std::any_of(outcome.findings.begin(), outcome.findings.end(),
                     [](const Finding& finding) { return finding.kind == FindingClass::timeout; });
}

}  // namespace

WorkBudget::WorkBudget(std::uint64_t most, double brake_seconds)
    : most_(most),
      brake_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(brake_seconds))) {}

bool WorkBudget::is_used_up() {
  if (used_ < most_ && Clock::now() >= brake_) is_braked_ = true;
  return used_ == most_ || is_braked_;
}

void WorkBudget::charge(const device::Job& job, const device::Outcome& outcome) {
  std::uint64_t work = outcome.warp_instructions;
  if (work == 0 && has_timeout(outcome)) work = most_ / kTimeouts;
  for (const device::Buffer& buffer : job.buffers) work += buffer.bytes.size() / kBytesOfUnit;
  used_ += std::min(work, left());
}

device::Outcome MeteredDevice::run(const device::Program& program, const device::Job& job) {
  device::Outcome outcome;
  outcome.stopped = budget_.is_used_up();
  if (outcome.stopped) return outcome;
  device::Job limited = job;
  limited.stop.deadline = std::min(job.stop.deadline.value_or(budget_.brake()), budget_.brake());
  const std::uint64_t most = budget_.left() * job.budget_divisor;
  const bool is_limited = job.instruction_budget == 0 || job.instruction_budget > most;
  if (is_limited) limited.instruction_budget = most;
  outcome = inner().run(program, limited);
  if (outcome.stopped) (void)budget_.is_used_up();  // records the brake
  // A launch that times out after far fewer instructions does so at a limit of the device. It need
  // not reach all that are left, because the device charges some instructions as several.
  if (is_limited && has_timeout(outcome) && outcome.warp_instructions > budget_.left() / 16) {
    outcome.stopped = true;
  }
  budget_.charge(job, outcome);
  return outcome;
}

}  // namespace warpcheck::campaign::run

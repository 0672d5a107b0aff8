#include "campaign/run/devices/metered_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpcheck::campaign::run {
namespace {

/// Executes `needed` warp instructions, at most those of `own_limit`, or as many as the job allows
/// and then times out.
class Counting final : public device::Device {
 public:
  [[nodiscard]] std::string_view name() const override { return "counting"; }
  [[nodiscard]] std::string description() const override { return "counts"; }
  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string&,
                                                            const std::string&) override {
    return std::make_shared<const device::Program>();
  }
  [[nodiscard]] device::Outcome run(const device::Program&, const device::Job& job) override {
    ++jobs;
    device::Outcome outcome;
    const std::uint64_t most = std::min(job.instruction_budget / job.budget_divisor, own_limit);
    if (needed > most) outcome.findings.emplace_back().kind = FindingClass::timeout;
    if (counts) outcome.warp_instructions = std::min(needed, most);
    outcome.stopped = job.stop.met();
    return outcome;
  }

  std::uint64_t needed = 100;
  std::uint64_t own_limit = ~std::uint64_t{0};
  bool counts = true;
  int jobs = 0;
};

device::Job job_of(std::uint64_t budget, std::size_t bytes = 0) {
  device::Job job;
  job.instruction_budget = budget;
  if (bytes != 0) job.buffers.own().emplace_back().bytes.resize(bytes);
  return job;
}

constexpr double kLong = 1000.0;  // seconds

TEST(MeteredDevice, AddsInstructionsAndBytes) {
  Counting counting;
  WorkBudget budget(1000, kLong);
  MeteredDevice metered(counting, budget);
  EXPECT_FALSE(metered.run({}, job_of(500, 320)).stopped);
  EXPECT_EQ(budget.used(), 110U);
  EXPECT_FALSE(metered.run({}, job_of(500, 31)).stopped);
  EXPECT_EQ(budget.used(), 210U);
}

TEST(MeteredDevice, StopsTheJobThatNeedsMoreAndAllAfterIt) {
  Counting counting;
  WorkBudget budget(250, kLong);
  MeteredDevice metered(counting, budget);
  EXPECT_FALSE(metered.run({}, job_of(500)).stopped);
  EXPECT_FALSE(metered.run({}, job_of(500)).stopped);
  EXPECT_FALSE(budget.is_used_up());
  EXPECT_TRUE(metered.run({}, job_of(500)).stopped);  // 50 are left
  EXPECT_TRUE(budget.is_used_up());
  EXPECT_TRUE(metered.run({}, job_of(500)).stopped);
  EXPECT_EQ(counting.jobs, 3);
  EXPECT_FALSE(budget.is_braked());
}

TEST(MeteredDevice, ATimeoutWithinTheBudgetOfTheJobRemains) {
  Counting counting;
  counting.needed = 1000;
  WorkBudget budget(500, kLong);
  MeteredDevice metered(counting, budget);
  const device::Outcome outcome = metered.run({}, job_of(200));
  EXPECT_FALSE(outcome.stopped);
  EXPECT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(budget.used(), 200U);
}

TEST(MeteredDevice, ATimeoutAtALimitOfTheDeviceRemains) {
  Counting counting;
  counting.needed = 1000;
  counting.own_limit = 20;
  WorkBudget budget(500, kLong);
  MeteredDevice metered(counting, budget);
  EXPECT_FALSE(metered.run({}, job_of(8000)).stopped);
  EXPECT_EQ(budget.used(), 20U);
}

TEST(MeteredDevice, ADividedBudgetIsLimitedToTheWorkLeft) {
  Counting counting;
  counting.needed = 1000;
  WorkBudget budget(500, kLong);
  MeteredDevice metered(counting, budget);
  device::Job job = job_of(8000);
  job.budget_divisor = 8;  // 1000 instructions
  EXPECT_TRUE(metered.run({}, job).stopped);
  EXPECT_EQ(budget.used(), 500U);
}

TEST(MeteredDevice, TimeoutsUseUpTheWorkOfADeviceThatDoesNotCount) {
  Counting counting;
  counting.counts = false;
  WorkBudget budget(3200, kLong);
  MeteredDevice metered(counting, budget);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(metered.run({}, job_of(500)).stopped);
  counting.needed = 1000;
  int timeouts = 0;
  while (!metered.run({}, job_of(500)).stopped) ++timeouts;
  EXPECT_EQ(timeouts, 32);
}

TEST(MeteredDevice, TheBrakeStopsAllJobs) {
  Counting counting;
  WorkBudget budget(1000, 0.0);
  EXPECT_FALSE(budget.is_braked());
  MeteredDevice metered(counting, budget);
  EXPECT_TRUE(metered.run({}, job_of(500)).stopped);
  EXPECT_TRUE(budget.is_braked());
  EXPECT_EQ(counting.jobs, 0);
}

}  // namespace
}  // namespace warpcheck::campaign::run

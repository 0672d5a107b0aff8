// The jobs that a runner sends to its device.
#include "campaign/run/runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "device/forwarding_device.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

/// Stores the last job, and reports coverage and the end that the test requests.
class Recorder final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    last = job;
    device::Outcome outcome = inner().run(program, job);
    outcome.stopped = stops;
    if (job.cover) outcome.coverage.blocks.push_back({7, 1, 1});
    return outcome;
  }

  device::Job last;
  bool stops = false;
};

class RunnerTest : public ::testing::Test {
 protected:
  const contract::Variant variant_ = testing::blas_variant();
  testing::GemmDevice gemm_{variant_, [](testing::Call&) {}};
  Recorder recorder_{gemm_};
  const std::shared_ptr<const device::Program> program_ = gemm_.load("", "");
  const Case problem_ = parse_case("fake m=2 n=2 k=2");
  Context context_{variant_, recorder_, *program_};

  void run() { (void)Runner(context_, false).run(usual_problem(variant_, problem_)); }
};

TEST_F(RunnerTest, JobsHaveTheLimitsOfTheContext) {
  const std::atomic<bool> requested = false;
  const std::chrono::steady_clock::time_point deadline{std::chrono::seconds(1)};
  context_.stop = {deadline, &requested};
  context_.budget_divisor = 8;
  context_.limits_only = true;
  run();
  EXPECT_EQ(recorder_.last.stop.deadline, deadline);
  EXPECT_EQ(recorder_.last.stop.requested, &requested);
  EXPECT_EQ(recorder_.last.budget_divisor, 8U);
  EXPECT_TRUE(recorder_.last.limits_only);
}

TEST_F(RunnerTest, ObservationIsTheSumOfTheJobs) {
  run();
  EXPECT_FALSE(recorder_.last.cover);
  Observation seen;
  context_.observation = &seen;
  run();
  run();
  EXPECT_TRUE(recorder_.last.cover);
  ASSERT_EQ(seen.coverage.blocks.size(), 1U);
  EXPECT_EQ(seen.coverage.blocks[0].warps, 2U);
  EXPECT_EQ(seen.grids.size(), 2U);
}

TEST_F(RunnerTest, StoppedJobShowsNothing) {
  recorder_.stops = true;
  EXPECT_THROW(run(), StoppedRun);
}

}  // namespace
}  // namespace warpcheck::campaign::run

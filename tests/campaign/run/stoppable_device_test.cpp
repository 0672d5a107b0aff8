#include "campaign/run/devices/stoppable_device.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>

namespace warpcheck::campaign::run {
namespace {

using Time = std::chrono::steady_clock::time_point;

/// Keeps its last job.
class Recorder final : public device::Device {
 public:
  [[nodiscard]] std::string_view name() const override { return "recorder"; }
  [[nodiscard]] std::string description() const override { return "keeps its last job"; }
  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string&,
                                                            const std::string&) override {
    return std::make_shared<const device::Program>();
  }
  [[nodiscard]] device::Outcome run(const device::Program&, const device::Job& job) override {
    last = job;
    return {};
  }

  device::Job last;
};

/// The limits with which a job runs on a stoppable device around another one.
device::Job limits_of(device::StopCondition outer, std::uint64_t outer_divisor,
                      device::StopCondition inner, std::uint64_t inner_divisor) {
  Recorder recorder;
  StoppableDevice inside(recorder, inner, inner_divisor);
  StoppableDevice outside(inside, outer, outer_divisor);
  (void)outside.run(device::Program(), device::Job());
  return recorder.last;
}

TEST(StoppableDevice, AroundAnotherKeepsTheEarlierDeadline) {
  const Time early{std::chrono::seconds(1)};
  const Time late{std::chrono::seconds(2)};
  EXPECT_EQ(limits_of({early, nullptr}, 1, {late, nullptr}, 1).stop.deadline, early);
  EXPECT_EQ(limits_of({late, nullptr}, 1, {early, nullptr}, 1).stop.deadline, early);
  EXPECT_EQ(limits_of({early, nullptr}, 1, {}, 1).stop.deadline, early);
  EXPECT_EQ(limits_of({}, 1, {early, nullptr}, 1).stop.deadline, early);
  EXPECT_EQ(limits_of({}, 1, {}, 1).stop.deadline, std::nullopt);
}

TEST(StoppableDevice, AroundAnotherDividesTheBudgetAgain) {
  const std::atomic<bool> requested = false;
  const Time deadline{std::chrono::seconds(1)};
  const device::Job job = limits_of({deadline, nullptr}, 8, {std::nullopt, &requested}, 2);
  EXPECT_EQ(job.stop.deadline, deadline);
  EXPECT_EQ(job.stop.requested, &requested);
  EXPECT_EQ(job.budget_divisor, 16U);
  EXPECT_EQ(limits_of({std::nullopt, &requested}, 1, {}, 1).stop.requested, &requested);
}

}  // namespace
}  // namespace warpcheck::campaign::run

#include "campaign/run/devices/memoizing_device.hpp"

#include <gtest/gtest.h>

namespace warpcheck::campaign::run {
namespace {

/// Counts its jobs; the outcome contains their number.
class Counter final : public device::Device {
 public:
  explicit Counter(bool deterministic) : deterministic_(deterministic) {}

  [[nodiscard]] std::string_view name() const override { return "counter"; }
  [[nodiscard]] std::string description() const override { return "counts jobs"; }
  [[nodiscard]] bool is_deterministic() const override { return deterministic_; }
  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string&,
                                                            const std::string&) override {
    return std::make_shared<const device::Program>();
  }
  [[nodiscard]] device::Outcome run(const device::Program&, const device::Job& job) override {
    device::Outcome outcome;
    outcome.stopped = job.stop.met();
    outcome.warp_instructions = ++jobs;
    return outcome;
  }

  std::uint64_t jobs = 0;

 private:
  bool deterministic_;
};

device::Job job() {
  device::Job job;
  job.buffers.resize(1);
  job.buffers[0].bytes.assign(16, std::byte{1});
  job.launches.resize(1);
  job.launches[0].arguments = {device::Scalar{}};
  job.schedule_seed = 7;
  return job;
}

const device::Program kProgram;
const device::Program kOtherProgram;

TEST(MemoizingDevice, EqualJobsRunOnce) {
  Counter counter(true);
  MemoizingDevice device(counter);
  EXPECT_EQ(device.run(kProgram, job()).warp_instructions, 1U);
  EXPECT_EQ(device.run(kProgram, job()).warp_instructions, 1U);
  EXPECT_EQ(counter.jobs, 1U);
}

TEST(MemoizingDevice, JobsThatDifferRun) {
  Counter counter(true);
  MemoizingDevice device(counter);
  (void)device.run(kProgram, job());
  std::vector<device::Job> others(14, job());
  others[0].buffers[0].bytes[15] = std::byte{2};
  others[1].buffers[0].initialized = false;
  others[2].buffers[0].access = device::Access::read_only;
  others[3].launches.push_back(others[3].launches[0]);
  others[4].launches[0].arguments = {device::BufferAddress{}};
  others[5].launches[0].grid.x = 2;
  others[6].schedule_seed = 8;
  others[7].watch = device::BufferAddress{};
  others[8].cover = true;
  others[9].instruction_budget = 5;
  others[10].limits_only = true;
  others[11].buffers[0].shift_bytes = 4;
  others[12].budget_divisor = 8;
  others[13].predecessor = {{0, true}};
  std::uint64_t jobs = 1;
  for (const device::Job& other : others) {
    EXPECT_EQ(device.run(kProgram, other).warp_instructions, ++jobs);
  }
  EXPECT_EQ(device.run(kOtherProgram, job()).warp_instructions, ++jobs);
  EXPECT_EQ(device.run(kProgram, job()).warp_instructions, 1U);
}

TEST(MemoizingDevice, RunsEachJobIfOutcomesMayDiffer) {
  Counter counter(false);
  MemoizingDevice device(counter);
  (void)device.run(kProgram, job());
  EXPECT_EQ(device.run(kProgram, job()).warp_instructions, 2U);
}

TEST(MemoizingDevice, StoppedJobIsNoOutcome) {
  Counter counter(true);
  MemoizingDevice device(counter);
  const std::atomic<bool> requested = true;
  device::Job stopped = job();
  stopped.stop.requested = &requested;
  EXPECT_TRUE(device.run(kProgram, stopped).stopped);
  EXPECT_FALSE(device.run(kProgram, job()).stopped);
}

}  // namespace
}  // namespace warpcheck::campaign::run

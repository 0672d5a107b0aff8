// Progress of blocks that wait for one another, and the message if they cannot make progress.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "contract/compile/compile_cache.hpp"
#include "contract/compile/nvcc.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/finding/message.hpp"

namespace warpcheck::machine {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kFolder = WARPCHECK_SOURCE_DIR "/tests/device/virtual/machine/progress/";
constexpr std::size_t kElements = 1024;
constexpr std::size_t kSum = 2;  // element of `out` in which the kernels store their result

class Progress : public testing::Test {
 protected:
  void SetUp() override {
    try {
      (void)contract::find_nvcc();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
    load("waits");
  }

  void load(const std::string& name) {
    text_ = read_input(kFolder + name + ".cu");
    const contract::CompileCache cache(WARPCHECK_BINARY_DIR "/compiled_progress");
    const contract::Compilation compiled = cache.compile(text_, "");
    if (!compiled.succeeded) throw std::runtime_error(compiled.output);
    // Other tests cover races.
    device_ = device::make_virtual_device({.host_threads = 2, .races = false});
    program_ = device_->load(compiled.ptx, name + ".ptx");
  }

  device::Outcome run(const std::string& kernel, unsigned blocks, unsigned threads,
                      std::uint64_t seed = 0) {
    device::Job job;
    device::Buffer out;
    out.name = "out";
    out.extent = {1, kElements * sizeof(int), kElements * sizeof(int)};
    out.element_bytes = sizeof(int);
    out.bytes.resize(out.extent.bytes());
    job.buffers = {out};
    job.launches = {{kernel, {blocks, 1, 1}, {threads, 1, 1}, 0, {device::BufferAddress{0, 0}}}};
    job.schedule_seed = seed;
    job.instruction_budget = 1 << 24;
    return device_->run(*program_, job);
  }

  /// Expects that the kernel completes with this result in each of several orders of the blocks.
  void expect_sum(const std::string& kernel, unsigned blocks, unsigned threads, int expected) {
    for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
      const device::Outcome outcome = run(kernel, blocks, threads, seed);
      ASSERT_TRUE(outcome.findings.empty())
          << "seed " << seed << ": " << report::message_text(outcome.findings.front());
      int sum = 0;
      std::memcpy(&sum, outcome.buffers[0].data() + kSum * sizeof sum, sizeof sum);
      EXPECT_EQ(sum, expected) << "seed " << seed;
    }
  }

  /// The only finding of a kernel. It is at a line with the mark.
  Finding expect_finding(FindingClass kind, const std::string& kernel, unsigned blocks,
                         unsigned threads, const std::string& mark = "// waits") {
    const device::Outcome outcome = run(kernel, blocks, threads, 5);
    if (outcome.findings.size() != 1) {
      ADD_FAILURE() << outcome.findings.size() << " findings";
      return {};
    }
    const Finding& finding = outcome.findings.front();
    EXPECT_EQ(name(finding.kind), name(kind)) << report::message_text(finding);
    EXPECT_THAT(line(finding.source.line), HasSubstr(mark)) << report::message_text(finding);
    // The hang is detected long before the budget is used up.
    EXPECT_LT(outcome.warp_instructions, std::uint64_t{1} << 23);
    return finding;
  }

  std::string line(unsigned number) const {
    std::istringstream source(text_);
    std::string line;
    for (unsigned i = 0; i < number; ++i) std::getline(source, line);
    return line;
  }

 private:
  std::string text_;
  std::unique_ptr<device::Device> device_;
  std::shared_ptr<const device::Program> program_;
};

constexpr int sum_below(int count) { return count * (count - 1) / 2; }

TEST_F(Progress, BlocksCompleteInTheOrderOfTheirTickets) {
  expect_sum("ticket_lock", 300, 32, sum_below(300));
}

TEST_F(Progress, TheLastBlockAddsTheValuesOfAll) {
  expect_sum("last_block", 300, 64, sum_below(300));
}

TEST_F(Progress, BlocksPassABarrierOfTheGrid) { expect_sum("grid_barrier", 64, 64, sum_below(64)); }

TEST_F(Progress, ABarrierOfTheGridNeedsAllBlocksResident) {
  const Finding finding = expect_finding(FindingClass::deadlock, "grid_barrier", 300, 32);
  EXPECT_THAT(report::message_text(finding),
              AllOf(HasSubstr("256 threads of 256 blocks spin"),
                    HasSubstr("while 4-byte element 0 of out stays 256"),
                    HasSubstr("44 more blocks cannot become resident")));
}

TEST_F(Progress, ABlockMayWaitForTheOneBeforeIt) {
  expect_sum("waits_for_the_block_before", 600, 32, sum_below(600));
}

TEST_F(Progress, ABlockMayWaitForTheOneAfterItWhereBothAreResident) {
  expect_sum("waits_for_the_block_after", 200, 32, sum_below(200));
}

TEST_F(Progress, AWaitForABlockThatIsNotResidentIsADeadlock) {
  const Finding finding =
      expect_finding(FindingClass::deadlock, "waits_for_the_block_after", 600, 32);
  EXPECT_THAT(report::message_text(finding),
              AllOf(HasSubstr("stays 0, or others likewise"),
                    HasSubstr("344 more blocks cannot become resident")));
}

TEST_F(Progress, TheOwnerOfATileMayWaitForItsParts) { expect_sum("fix_up", 64, 32, sum_below(64)); }

TEST_F(Progress, LanesOfAWarpMayCompeteForALock) {
  expect_sum("lock_within_a_warp", 2, 64, 2 * sum_below(64));
}

TEST_F(Progress, AWarpMayWaitForAnotherOfItsBlock) {
  expect_sum("flag_in_shared_memory", 3, 64, 7);
}

TEST_F(Progress, ALongComputationIsNoDeadlock) {
  unsigned state = 1;
  for (int i = 0; i < 1000000; ++i) state = state * 1664525U + 1013904223U;
  const device::Outcome outcome = run("long_and_silent", 1, 32);
  ASSERT_TRUE(outcome.findings.empty()) << report::message_text(outcome.findings.front());
  unsigned found = 0;
  std::memcpy(&found, outcome.buffers[0].data() + kSum * sizeof found, sizeof found);
  EXPECT_EQ(found, state);
}

TEST_F(Progress, AChangeThatIsUndoneIsAChange) { expect_sum("flag_that_flickers", 2, 32, 7); }

TEST_F(Progress, TheGridOfCooperativeGroupsSynchronises) {
  load("groups");
  expect_sum("grid_sync", 64, 64, 6 * sum_below(64));
  expect_sum("grid_sync", 270, 32, 6 * sum_below(270));
}

TEST_F(Progress, ACooperativeGridThatIsTooLargeIsNotLaunched) {
  load("groups");
  const device::Outcome outcome = run("grid_sync", 4000, 64);
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(name(outcome.findings[0].kind), "launch-failure");
  // sm_80: 108 multiprocessors of at most 32 blocks or 2048 threads.
  EXPECT_THAT(report::message_text(outcome.findings[0]),
              AllOf(HasSubstr("grid of 4000 blocks"), HasSubstr("keeps 3456 of them resident")));
}

TEST_F(Progress, GroupsWithinAWarpComputeTheSameResult) {
  load("groups");
  expect_sum("tiles", 2, 96, 2 * 96 * 12);
}

TEST_F(Progress, AMessageNamesAFlagThatIsNeverSet) {
  const Finding finding = expect_finding(FindingClass::deadlock, "flag_that_nobody_sets", 2, 64);
  EXPECT_THAT(report::message_text(finding),
              AllOf(HasSubstr("while 4-byte element 3 of out stays 0"),
                    HasSubstr("for barrier 0, to which")));
  ASSERT_TRUE(finding.memory);
  EXPECT_EQ(finding.memory->name, "out");
  EXPECT_EQ(finding.memory->offset, 12);
  EXPECT_EQ(finding.thread->thread, (Dim3{0, 0, 0}));
}

TEST_F(Progress, AMessageNamesALockThatIsTakenTwice) {
  EXPECT_THAT(
      report::message_text(expect_finding(FindingClass::deadlock, "lock_taken_twice", 1, 32)),
      HasSubstr("while 4-byte element 4 of out stays 1"));
}

TEST_F(Progress, AMessageNamesSpinningAndWaitingThreads) {
  EXPECT_THAT(report::message_text(
                  expect_finding(FindingClass::deadlock, "flag_behind_the_barrier", 1, 64)),
              AllOf(HasSubstr("32 threads spin"), HasSubstr("element 0 of flag stays 0"),
                    HasSubstr("32 threads wait"), HasSubstr("for barrier 0, to which 32 of 64")));
}

TEST_F(Progress, AMessageNamesBothCrossedBarriers) {
  EXPECT_THAT(
      report::message_text(expect_finding(FindingClass::deadlock, "barriers_crossed", 1, 64)),
      AllOf(HasSubstr("for barrier 1, to which 32 of 64 have come"),
            HasSubstr("for barrier 2, to which 32 of 64 have come")));
}

TEST_F(Progress, AMessageNamesLanesThatAWarpBarrierWaitsFor) {
  EXPECT_THAT(report::message_text(
                  expect_finding(FindingClass::barrier_divergence, "lanes_that_wait_apart", 1, 32)),
              HasSubstr("for lanes 16 to 31 of their warp, which wait at line"));
}

TEST_F(Progress, AnEndlessLoopWithoutMemoryIsATimeout) {
  EXPECT_THAT(
      report::message_text(expect_finding(FindingClass::timeout, "endless", 1, 32, "// loops")),
      HasSubstr("reads no memory"));
}

}  // namespace
}  // namespace warpcheck::machine

// The device with its processes and a fake driver.
#include "device/cuda/cuda_device.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "base/diagnostic.hpp"
#include "tests/device/cuda/fake_driver.hpp"

namespace warpcheck::device::cuda {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CudaDevice : public FakeDriver {};

TEST_F(CudaDevice, NoDriverIsOneSentence) {
  setenv("WARPCHECK_LIBCUDA", "/nowhere/libcuda.so.1", 1);
  EXPECT_FALSE(available());
  try {
    (void)open();
    FAIL() << "opened a driver that is not there";
  } catch (const EnvironmentError& error) {
    EXPECT_STREQ(error.what(),
                 "no NVIDIA driver on this machine: /nowhere/libcuda.so.1 cannot be opened");
  }
}

TEST_F(CudaDevice, DriverWithoutGpuIsOneSentence) {
  setenv("FAKE_CUDA_NO_GPU", "1", 1);
  EXPECT_FALSE(available());
  EXPECT_THROW((void)open(), EnvironmentError);
}

TEST_F(CudaDevice, GpuNumberBeyondTheLastIsRefused) {
  Options options;
  options.gpu = 3;
  EXPECT_THROW((void)open(options), EnvironmentError);
}

TEST_F(CudaDevice, DescriptionNamesModelAndDriver) {
  EXPECT_TRUE(available());
  const auto device = open();
  EXPECT_EQ(device->name(), "cuda");
  EXPECT_THAT(device->description(), AllOf(HasSubstr("Fake GPU (sm_90)"), HasSubstr("CUDA 13.0")));
}

TEST_F(CudaDevice, RunsAJobAndReturnsTheBuffers) {
  const auto device = open();
  const auto program = load(*device);
  const Outcome outcome = device->run(*program, copying_job());
  expect_copied(outcome);
  EXPECT_EQ(outcome.seconds, 0.0);
}

TEST_F(CudaDevice, MeasuresTheLaunchesOfATimedJob) {
  const auto device = open();
  Job timed = copying_job();
  timed.timed = true;
  timed.launches.push_back(timed.launches.front());
  const Outcome outcome = device->run(*load(*device), timed);
  expect_copied(outcome);
  EXPECT_DOUBLE_EQ(outcome.seconds, 2 * 0.5e-3);
}

TEST_F(CudaDevice, RunsWithADriverWhoseStreamsDoNotWriteValues) {
  setenv("FAKE_CUDA_OLD", "1", 1);
  const auto device = open();
  expect_copied(device->run(*load(*device), copying_job()));
}

/// The driver encodes the map in the worker; the fake one begins its map with the address.
TEST_F(CudaDevice, TensorMapsAndClustersReachTheDriver) {
  const auto device = open();
  TensorMap map;
  map.rank = 1;
  map.dims.fill(1);
  map.box.fill(16);
  map.steps.fill(1);
  Job launch =
      job("copy_tensor", {TensorMapArgument{map, {0, 0}}, BufferAddress{1, 10}, scalar(20)});
  launch.launches[0].grid = {4, 1, 1};
  launch.launches[0].cluster = Dim3{2, 1, 1};
  expect_copied(device->run(*load(*device), launch));
  std::get<TensorMapArgument>(launch.launches[0].arguments[0]).map.box[0] = 300;
  const Outcome refused = device->run(*load(*device), launch);
  ASSERT_EQ(refused.findings.size(), 1U);
  EXPECT_EQ(refused.findings[0].kind, FindingClass::launch_failure);
}

TEST_F(CudaDevice, BuffersStartAtTheirShiftFromABoundary) {
  const auto device = open();
  const auto program = load(*device);
  Job shifted = copying_job();
  shifted.buffers[0].shift_bytes = 12;
  shifted.buffers[1].shift_bytes = 4;
  expect_copied(device->run(*program, shifted));
}

TEST_F(CudaDevice, JobWithoutBytesRuns) {
  const auto device = open();
  const auto program = load(*device);
  Job empty = job("fill", {BufferAddress{0, 0}, scalar(0), scalar(0)});
  empty.buffers = {buffer("C", 0, 0)};
  EXPECT_TRUE(device->run(*program, empty).findings.empty());
}

TEST_F(CudaDevice, LargerJobsFollowSmallerOnes) {
  const auto device = open();
  const auto program = load(*device);
  for (const std::uint32_t bytes : {100U, 100'000U, 40'000'000U, 300U}) {
    Job large = job("copy", {BufferAddress{0, 0}, BufferAddress{1, 0}, scalar(bytes)});
    large.buffers = {buffer("A", bytes, 7), buffer("C", bytes, 8)};
    const Outcome outcome = device->run(*program, large);
    ASSERT_TRUE(outcome.findings.empty());
    EXPECT_EQ(outcome.buffers[1], large.buffers[0].bytes);
  }
}

TEST_F(CudaDevice, JobTooLargeForTheGpuIsAnEnvironmentError) {
  const auto device = open();
  const auto program = load(*device);
  Job large = copying_job();
  large.buffers[0] = buffer("A", std::size_t{1} << 28, 0);
  EXPECT_THROW((void)device->run(*program, large), EnvironmentError);
  expect_copied(device->run(*program, copying_job()));
}

TEST_F(CudaDevice, StorePastTheEndOverwritesTheGuard) {
  const auto device = open();
  const auto program = load(*device);
  const Outcome outcome =
      device->run(*program, job("fill", {BufferAddress{1, 0}, scalar(100), scalar(3)}));
  expect_one(outcome, FindingClass::guard_overwritten, "3 bytes around C overwritten");
  ASSERT_TRUE(outcome.findings[0].memory);
  EXPECT_EQ(outcome.findings[0].memory->name, "C");
  EXPECT_EQ(outcome.findings[0].memory->offset, 100);
}

TEST_F(CudaDevice, StoreBeforeTheStartOverwritesTheGuard) {
  const auto device = open();
  const auto program = load(*device);
  const Outcome outcome = device->run(
      *program,
      job("fill", {BufferAddress{1, 0}, scalar(static_cast<std::uint32_t>(-8)), scalar(4)}));
  expect_one(outcome, FindingClass::guard_overwritten, "first at byte -8, last at byte -5");
}

TEST_F(CudaDevice, ChangedInputIsFound) {
  const auto device = open();
  const auto program = load(*device);
  Job writing = job("fill", {BufferAddress{0, 0}, scalar(42), scalar(1)});
  writing.buffers[0].access = Access::read_only;
  expect_one(device->run(*program, writing), FindingClass::input_modified,
             "read-only A was changed, first at byte 42: found 0xab, expected 0x01");
}

TEST_F(CudaDevice, FaultIsAFindingAndTheNextJobRuns) {
  const auto device = open();
  const auto program = load(*device);
  const std::vector<std::pair<std::uint32_t, FindingClass>> faults = {
      {700, FindingClass::out_of_bounds},       {716, FindingClass::misaligned},
      {715, FindingClass::illegal_instruction}, {702, FindingClass::timeout},
      {710, FindingClass::launch_failure},      {719, FindingClass::launch_failure},
  };
  for (const auto& [result, kind] : faults) {
    const Outcome outcome = device->run(*program, job("fault", {scalar(result)}));
    expect_one(outcome, kind, fmt::format("({})", result));
    EXPECT_EQ(outcome.buffers[1], std::vector<std::byte>(100, std::byte{2}));
    expect_copied(device->run(*program, copying_job()));
  }
}

TEST_F(CudaDevice, FaultNamesTheLaunch) {
  const auto device = open();
  const auto program = load(*device);
  Job two = copying_job();
  two.launches.push_back({"fault", {3, 1, 1}, {32, 2, 1}, 64, {scalar(716)}});
  expect_one(
      device->run(*program, two), FindingClass::misaligned,
      "CUDA_ERROR_MISALIGNED_ADDRESS (716): misaligned address in launch 2 of 2: fault, grid "
      "3x1x1, block 32x2x1, 64 bytes of dynamic shared memory, 1 arguments");
}

TEST_F(CudaDevice, CrashIsAFindingAndTheNextJobRuns) {
  const auto device = open();
  const auto program = load(*device);
  expect_one(device->run(*program, job("die")), FindingClass::launch_failure, "died of signal 6");
  expect_copied(device->run(*program, copying_job()));
}

TEST_F(CudaDevice, HangIsATimeoutAndTheNextJobRuns) {
  Options options;
  options.timeout = std::chrono::milliseconds(200);
  const auto device = open(options);
  const auto program = load(*device);
  expect_one(device->run(*program, job("hang")), FindingClass::timeout, "200 ms");
  Job shorter = job("hang");
  shorter.budget_divisor = 4;  // the divisor while a timeout is shrunk
  expect_one(device->run(*program, shorter), FindingClass::timeout, "within 50 ms");
  expect_copied(device->run(*program, copying_job()));
}

TEST_F(CudaDevice, RequestedStopEndsAJobBeforeItRuns) {
  const auto device = open();
  const auto program = load(*device);
  std::atomic<bool> requested = true;
  Job stoppable = copying_job();
  stoppable.stop.requested = &requested;
  const Outcome outcome = device->run(*program, stoppable);
  EXPECT_TRUE(outcome.stopped);
  EXPECT_TRUE(outcome.findings.empty());
  requested = false;
  expect_copied(device->run(*program, stoppable));
}

/// A terminal sends the signal of Ctrl-C to each process of the group.
TEST_F(CudaDevice, CtrlCDoesNotEndTheWorkers) {
  if (getpgrp() != getpid()) {
    EXPECT_EQ(setpgid(0, 0), 0);
  }
  const auto before = std::signal(SIGINT, [](int) {});
  const auto device = open();
  const auto program = load(*device);
  EXPECT_EQ(kill(0, SIGINT), 0);
  expect_copied(device->run(*program, copying_job()));
  std::signal(SIGINT, before);
}

TEST_F(CudaDevice, BadLaunchIsALaunchFailureAndTheNextJobRuns) {
  const auto device = open();
  const auto program = load(*device);
  Job wide = copying_job();
  wide.launches[0].block = {2048, 1, 1};
  expect_one(device->run(*program, wide), FindingClass::launch_failure, "block 2048x1x1");
  Job greedy = copying_job();
  greedy.launches[0].shared_bytes = 1 << 20;
  expect_one(device->run(*program, greedy), FindingClass::launch_failure, "1048576 bytes");
  expect_one(device->run(*program, job("no_such")), FindingClass::launch_failure, "no_such");
  expect_one(device->run(*program, job("copy", {scalar(1)})), FindingClass::launch_failure,
             "1 arguments");
  expect_copied(device->run(*program, copying_job()));
}

TEST_F(CudaDevice, PrintedTextBelongsToItsJob) {
  const auto device = open();
  const auto program = load(*device, "vprintf");
  EXPECT_EQ(device->run(*program, job("print")).printed, "hello from the kernel\n");
  EXPECT_EQ(device->run(*program, copying_job()).printed, "");
  EXPECT_EQ(device->run(*program, job("print")).printed, "hello from the kernel\n");
}

TEST_F(CudaDevice, RejectedPtxIsALocatedError) {
  const auto device = open();
  try {
    (void)device->load("copy\nbad opcode\n", "kernel.ptx");
    FAIL() << "loaded a text that is no PTX";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "kernel.ptx:2: error: ptxas: Not a name of any known instruction: 'bad'\n"
                 "  bad opcode\n");
  }
  expect_copied(device->run(*load(*device), copying_job()));
}

TEST_F(CudaDevice, VariablesOfAModuleDoNotOutliveAJob) {
  const auto device = open();
  const auto program =
      load(*device, ".global .u32 counter;\natom.global.inc.u32 %r1, [counter], -1;\n");
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = device->run(*program, job("count", {BufferAddress{1, 0}}));
    ASSERT_TRUE(outcome.findings.empty());
    EXPECT_EQ(outcome.buffers[1][0], std::byte{0});
  }
}

TEST_F(CudaDevice, MoreProgramsThanAWorkerKeepsRun) {
  const auto device = open();
  std::vector<std::shared_ptr<const Program>> programs;
  for (int i = 0; i < 100; ++i) programs.push_back(load(*device, fmt::format("// {}\n", i)));
  for (const auto& program : programs) expect_copied(device->run(*program, copying_job()));
}

}  // namespace
}  // namespace warpcheck::device::cuda

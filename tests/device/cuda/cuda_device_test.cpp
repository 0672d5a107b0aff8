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
#include <set>
#include <thread>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::device::cuda {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CudaDevice : public testing::Test {
 protected:
  void SetUp() override { setenv("WARPCHECK_LIBCUDA", FAKE_LIBCUDA, 1); }
  void TearDown() override {
    unsetenv("WARPCHECK_LIBCUDA");
    unsetenv("FAKE_CUDA_NO_GPU");
    unsetenv("FAKE_CUDA_GPUS");
  }

  static std::shared_ptr<const Program> load(Device& device, const std::string& extra = "") {
    return device.load("copy copy_tensor fill fault die hang print count where process\n" + extra,
                       "fake.ptx");
  }
};

Buffer buffer(const std::string& name, std::size_t bytes, unsigned char value) {
  Buffer result;
  result.name = name;
  result.extent = {1, bytes, bytes};
  result.bytes.assign(bytes, static_cast<std::byte>(value));
  return result;
}

Scalar scalar(std::uint32_t value) {
  Scalar result;
  std::memcpy(result.bytes.data(), &value, sizeof value);
  return result;
}

Job job(const std::string& entry, std::vector<Argument> arguments = {}) {
  Job result;
  result.buffers = {buffer("A", 100, 1), buffer("C", 100, 2)};
  result.launches.push_back({entry, {1, 1, 1}, {32, 1, 1}, 0, std::move(arguments)});
  return result;
}

Job copying_job() { return job("copy", {BufferAddress{0, 0}, BufferAddress{1, 10}, scalar(20)}); }

void expect_copied(const Outcome& outcome) {
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  std::vector<std::byte> expected(100, std::byte{2});
  std::fill_n(expected.begin() + 10, 20, std::byte{1});
  ASSERT_EQ(outcome.buffers.size(), 2U);
  EXPECT_EQ(outcome.buffers[0], std::vector<std::byte>(100, std::byte{1}));
  EXPECT_EQ(outcome.buffers[1], expected);
}

void expect_one(const Outcome& outcome, FindingClass kind, const std::string& part) {
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(name(outcome.findings[0].kind), name(kind));
  EXPECT_THAT(outcome.findings[0].message, HasSubstr(part));
}

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
  EXPECT_DOUBLE_EQ(outcome.seconds, 0.5e-3);
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

TEST_F(CudaDevice, ServesSeveralHostThreadsAtOnce) {
  Options options;
  options.workers = 6;
  const auto device = open(options);
  const auto program = load(*device);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        if (i > 10 && i % 10 == t) {
          expect_one(device->run(*program, job("fault", {scalar(716)})), FindingClass::misaligned,
                     "716");
        } else {
          expect_copied(device->run(*program, copying_job()));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Returns the numbers that `entry` stores in concurrent jobs, one for each program.
std::multiset<std::uint32_t> stored_by(Device& device, const std::string& entry,
                                       std::vector<const Program*> programs) {
  std::vector<std::uint32_t> numbers(programs.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    threads.emplace_back([&, i] {
      const Outcome outcome = device.run(*programs[i], job(entry, {BufferAddress{1, 0}}));
      std::memcpy(&numbers[i], outcome.buffers.at(1).data(), 4);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return {numbers.begin(), numbers.end()};
}
std::multiset<std::uint32_t> gpus_of(Device& device, const Program& program, std::size_t jobs) {
  return stored_by(device, "where", {jobs, &program});
}

TEST_F(CudaDevice, JobsAreSpreadOverTheGpusOfOneModel) {
  setenv("FAKE_CUDA_GPUS", "4", 1);
  const auto device = open({.workers = 6});
  EXPECT_THAT(device->description(), testing::StartsWith("3 x Fake GPU (sm_90)"));
  const auto program = load(*device);
  (void)gpus_of(*device, *program, 6);  // starts the processes
  EXPECT_EQ(gpus_of(*device, *program, 6), (std::multiset<std::uint32_t>{0, 0, 2, 2, 3, 3}))
      << "number 1 is of another model";
  // A new worker replaces one that died, on the same GPU.
  (void)device->run(*program, job("die"));
  (void)gpus_of(*device, *program, 6);
  EXPECT_EQ(gpus_of(*device, *program, 6), (std::multiset<std::uint32_t>{0, 0, 2, 2, 3, 3}));
}

TEST_F(CudaDevice, JobsOfAllProgramsShareAProcess) {
  const auto device = open({.workers = 4});
  const auto one = load(*device);
  const auto other = load(*device, "// another text");
  const auto processes = stored_by(*device, "process", {one.get(), other.get(), one.get()});
  EXPECT_EQ(processes.count(*processes.begin()), 3U);
}

/// A fault of one program ends the jobs of others, which then pass in processes of their own.
TEST_F(CudaDevice, FaultsOfOneProgramAreNotThoseOfOthers) {
  const auto device = open({.workers = 4});
  const auto wrong = load(*device);
  const auto right = load(*device, "// another text");
  std::atomic<bool> ended = false;
  const auto copy = [&] {
    while (!ended) expect_copied(device->run(*right, copying_job()));
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back(copy);
  for (int i = 0; i < 3; ++i) {
    expect_one(device->run(*wrong, job("fault", {scalar(716)})), FindingClass::misaligned, "716");
  }
  ended = true;
  for (auto& thread : threads) thread.join();
  const auto processes = stored_by(*device, "process", {wrong.get(), right.get()});
  EXPECT_NE(*processes.begin(), *processes.rbegin()) << "the wrong program is alone";
}

/// When several jobs end together, a process of its own shows which of them is at fault.
TEST_F(CudaDevice, JobsAfterAFaultAreAlone) {
  const auto device = open({.workers = 4});
  const auto program = load(*device);
  expect_one(device->run(*program, job("fault", {scalar(716)})), FindingClass::misaligned, "716");
  const auto processes = stored_by(*device, "process", {program.get(), program.get()});
  EXPECT_NE(*processes.begin(), *processes.rbegin());
}

/// No memory is mapped near that of a job, so that it cannot change the buffers of another one.
TEST_F(CudaDevice, AccessFarOutOfBoundsFaults) {
  const auto device = open({.workers = 2});
  const auto program = load(*device);
  for (const std::uint32_t offset : {1U << 30, 0U - (1U << 30)}) {
    const Job far = job("fill", {BufferAddress{1, 0}, scalar(offset), scalar(3)});
    expect_one(device->run(*program, far), FindingClass::launch_failure, "died of signal 11");
  }
}

TEST_F(CudaDevice, NoJobJoinsAProcessThatHangs) {
  const auto device = open({.workers = 6, .timeout = std::chrono::milliseconds(3000)});
  const auto program = load(*device);
  std::vector<std::thread> hanging;
  for (int i = 0; i < 4; ++i) {
    hanging.emplace_back([&] { (void)device->run(*program, job("hang")); });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  const auto begin = std::chrono::steady_clock::now();
  expect_copied(device->run(*program, copying_job()));
  const auto waited = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(waited, std::chrono::milliseconds(2000))
      << "waited until the hanging workers were killed";
  for (std::thread& thread : hanging) thread.join();
}

TEST_F(CudaDevice, OneJobAtATimeNeedsOneGpu) {
  setenv("FAKE_CUDA_GPUS", "4", 1);
  const auto device = open({.workers = 1});
  EXPECT_THAT(device->description(), testing::StartsWith("Fake GPU (sm_90)"));
  EXPECT_EQ(gpus_of(*device, *load(*device), 3), (std::multiset<std::uint32_t>{0, 0, 0}));
}

}  // namespace
}  // namespace warpcheck::device::cuda

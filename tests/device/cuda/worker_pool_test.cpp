// Jobs of several threads, with the processes of the device and a fake driver.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "tests/device/cuda/fake_driver.hpp"

namespace warpcheck::device::cuda {
namespace {

class CudaWorkers : public FakeDriver {};

TEST_F(CudaWorkers, ServesSeveralHostThreadsAtOnce) {
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

TEST_F(CudaWorkers, JobsAreSpreadOverTheGpusOfOneModel) {
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

TEST_F(CudaWorkers, JobsOfAllProgramsShareAProcess) {
  const auto device = open({.workers = 4});
  const auto one = load(*device);
  const auto other = load(*device, "// another text");
  const auto processes = stored_by(*device, "process", {one.get(), other.get(), one.get()});
  EXPECT_EQ(processes.count(*processes.begin()), 3U);
}

/// A fault of one program ends the jobs of others, which then pass in processes of their own.
TEST_F(CudaWorkers, FaultsOfOneProgramAreNotThoseOfOthers) {
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
TEST_F(CudaWorkers, JobsAfterAFaultAreAlone) {
  const auto device = open({.workers = 4});
  const auto program = load(*device);
  expect_one(device->run(*program, job("fault", {scalar(716)})), FindingClass::misaligned, "716");
  const auto processes = stored_by(*device, "process", {program.get(), program.get()});
  EXPECT_NE(*processes.begin(), *processes.rbegin());
}

/// No memory is mapped near that of a job, so that it cannot change the buffers of another one.
TEST_F(CudaWorkers, AccessFarOutOfBoundsFaults) {
  const auto device = open({.workers = 2});
  const auto program = load(*device);
  for (const std::uint32_t offset : {1U << 30, 0U - (1U << 30)}) {
    const Job far = job("fill", {BufferAddress{1, 0}, scalar(offset), scalar(3)});
    expect_one(device->run(*program, far), FindingClass::launch_failure, "died of signal 11");
  }
}

TEST_F(CudaWorkers, NoJobJoinsAProcessThatHangs) {
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

TEST_F(CudaWorkers, OneJobAtATimeNeedsOneGpu) {
  setenv("FAKE_CUDA_GPUS", "4", 1);
  const auto device = open({.workers = 1});
  EXPECT_THAT(device->description(), testing::StartsWith("Fake GPU (sm_90)"));
  EXPECT_EQ(gpus_of(*device, *load(*device), 3), (std::multiset<std::uint32_t>{0, 0, 0}));
}

}  // namespace
}  // namespace warpcheck::device::cuda

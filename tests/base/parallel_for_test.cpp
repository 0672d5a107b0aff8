#include "base/parallel_for.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

namespace warpcheck {
namespace {

std::string message_of(const std::exception_ptr& error) {
  if (!error) return "";
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

void fail_at(std::size_t index) { throw std::runtime_error(std::to_string(index)); }

TEST(JobCount, ZeroIsOnePerProcessorThatTheProcessMayUse) {
  EXPECT_EQ(job_count(3), 3U);
  std::thread([] {
    cpu_set_t allowed;
    ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    EXPECT_EQ(job_count(0), static_cast<unsigned>(CPU_COUNT(&allowed)));
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t i = 0; CPU_COUNT(&one) == 0; ++i) {
      if (CPU_ISSET(i, &allowed)) CPU_SET(i, &one);
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(job_count(0), 1U);
  }).join();
}

TEST(ParallelFor, EachIndexRunsOnce) {
  for (const unsigned jobs : {0U, 1U, 2U, 7U}) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(runs.size(), jobs, [&](std::size_t i) { ++runs[i]; });
    EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& count) { return count == 1; })) << jobs;
  }
}

TEST(ParallelFor, NoIndexRunsForACountOfZero) {
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, OneJobRunsInOrderOnTheCallingThread) {
  std::vector<std::size_t> order;
  const std::thread::id caller = std::this_thread::get_id();
  parallel_for(50, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  std::vector<std::size_t> expected(50);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  EXPECT_EQ(order, expected);
}

TEST(ParallelFor, JobsRunAtTheSameTime) {
  std::atomic<int> started = 0;
  parallel_for(2, 2, [&](std::size_t) {
    ++started;
    while (started < 2) std::this_thread::yield();
  });
  EXPECT_EQ(started, 2);
}

TEST(ParallelFor, SmallestFailingIndexIsThrown) {
  for (int repetition = 0; repetition < 50; ++repetition) {
    for (const unsigned jobs : {1U, 2U, 5U}) {
      std::string thrown;
      try {
        parallel_for(200, jobs, [](std::size_t i) {
          if (i % 10 == 7) fail_at(i);
        });
      } catch (const std::runtime_error& error) {
        thrown = error.what();
      }
      EXPECT_EQ(thrown, "7") << jobs;
    }
  }
}

TEST(ParallelFor, NoIndexStartsAfterAFailure) {
  std::size_t runs = 0;
  EXPECT_THROW(parallel_for(100, 1,
                            [&](std::size_t i) {
                              ++runs;
                              if (i == 4) fail_at(i);
                            }),
               std::runtime_error);
  EXPECT_EQ(runs, 5U);
}

TEST(ParallelFor, NoIndexStartsAfterCancellation) {
  std::size_t runs = 0;
  parallel_for(
      100, 1, [&](std::size_t) { ++runs; }, [&] { return runs == 3; });
  EXPECT_EQ(runs, 3U);
}

TEST(ParallelTry, EachFailureIsReturnedAtItsIndex) {
  for (const unsigned jobs : {1U, 3U}) {
    std::atomic<int> runs = 0;
    const auto errors = parallel_try(20, jobs, [&](std::size_t i) {
      ++runs;
      if (i == 3 || i == 11) fail_at(i);
    });
    EXPECT_EQ(runs, 20);
    ASSERT_EQ(errors.size(), 20U);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      EXPECT_EQ(message_of(errors[i]), i == 3 || i == 11 ? std::to_string(i) : "");
    }
  }
}

TEST(RunWorkers, ExceptionOfAWorkerIsRethrownAtTheEnd) {
  std::atomic<int> ended = 0;
  std::atomic<int> started = 0;
  EXPECT_THROW(run_workers(3,
                           [&] {
                             if (started++ == 1) fail_at(1);
                             ++ended;
                           }),
               std::runtime_error);
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace warpcheck

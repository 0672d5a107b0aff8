// Races of works of streams: each case of programs/stream_races.cu with its order, and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

struct Unordered {
  const char* name;  // the name in programs/stream_races.cu
  const char* finding;
};

constexpr std::array kUnordered = {
    Unordered{"kernels",
              "launch 2 of add(int const*, int*) in stream 2 reads byte 0 of allocation 1, which "
              "launch 1 of fill(int*, int) in stream 1 writes"},
    Unordered{"copies",
              "launch 1 of add(int const*, int*) in stream 2 reads byte 0 of allocation 1, which "
              "cudaMemcpyAsync in stream 1 writes"},
    Unordered{"reuse",
              "cudaMemcpyAsync in stream 2 writes byte 0 of allocation 3, which cudaMemcpyAsync in "
              "stream 1 reads"},
    Unordered{
        "double-buffering",
        "cudaMemcpyAsync in stream 1 writes byte 0 of allocation 1, which launch 1 of add(int "
        "const*, int*) in stream 2 writes"},
    Unordered{"default-stream",
              "launch 2 of add(int const*, int*) in the default stream reads byte 0 of allocation "
              "1, which launch 1 of fill(int*, int) in stream 3 writes"},
    Unordered{"default-event",
              "launch 2 of add(int const*, int*) in stream 2 reads byte 0 of allocation 1, which "
              "launch 1 of fill(int*, int) in stream 1 writes"},
    Unordered{"set",
              "launch 1 of add(int const*, int*) in stream 3 reads byte 0 of allocation 1, which "
              "cudaMemset in the default stream writes"},
    Unordered{"pool",
              "cudaFreeAsync in stream 1 frees byte 0 of allocation 4, which launch 2 of add(int "
              "const*, int*) in stream 2 reads"},
    Unordered{"pool-allocation",
              "launch 1 of fill(int*, int) in stream 2 writes byte 0 of allocation 4, which "
              "cudaMallocAsync in stream 1 allocates"},
    Unordered{"graph",
              "launch 2 of fill(int*, int) in a node of a graph writes byte 0 of allocation 1, "
              "which launch 1 of fill(int*, int) in a node of a graph writes"},
    Unordered{"after-graph",
              "launch 2 of add(int const*, int*) in stream 2 reads byte 0 of allocation 1, which "
              "launch 1 of fill(int*, int) in stream 1 writes"},
    Unordered{"graph-wait",
              "launch 2 of add(int const*, int*) in a node of a graph reads byte 0 of allocation "
              "1, which launch 1 of fill(int*, int) in stream 3 writes"},
    Unordered{"atomics",
              "cudaMemcpyAsync in stream 2 reads byte 0 of allocation 1, which launch 1 of "
              "count(int*) in stream 1 writes"},
    Unordered{"host-function",
              "launch 2 of add(int const*, int*) in stream 2 reads byte 0 of allocation 1, which "
              "launch 1 of fill(int*, int) in stream 1 writes"},
};

TEST_F(Exec, UnorderedWorksOfStreamsRace) {
  compile("stream_races");
  for (const Unordered& unordered : kUnordered) {
    SCOPED_TRACE(unordered.name);
    const Result right = scratch.run({"exec", "./program", unordered.name});
    EXPECT_EQ(right.status, 0) << right.error;
    const Result wrong =
        scratch.run({"exec", "--json", "events", "./program", unordered.name, "-"});
    EXPECT_EQ(wrong.status, 1) << wrong.error;
    EXPECT_THAT(scratch.read("events"), HasSubstr(unordered.finding));
  }
}

TEST_F(Exec, PerThreadDefaultStreamsRace) {
  compile("stream_races", "-cudart shared -default-stream per-thread");
  for (const char* const name : {"threads", "entry-points"}) {
    const Result right = scratch.run({"exec", "./program", name});
    EXPECT_EQ(right.status, 0) << right.error;
  }
  const Result threads = scratch.run({"exec", "--json", "events", "./program", "threads", "-"});
  EXPECT_EQ(threads.status, 1) << threads.error;
  // The function of libstdc++.so that starts a thread has no symbol. That of another lies before
  // it.
  EXPECT_THAT(threads.error, testing::Not(HasSubstr("std::error_code")));
  EXPECT_THAT(scratch.read("events"),
              HasSubstr("launch 2 of add(int const*, int*) in the default stream of a thread reads "
                        "byte 0 of allocation 1, which launch 1 of fill(int*, int) in the default "
                        "stream of a thread writes"));
  // It does not wait for blocking streams.
  const Result blocking = scratch.run({"exec", "--json", "events", "./program", "default-stream"});
  EXPECT_EQ(blocking.status, 1) << blocking.error;
  EXPECT_THAT(scratch.read("events"),
              HasSubstr("launch 2 of add(int const*, int*) in the default stream of a thread reads "
                        "byte 0 of allocation 1, which launch 1 of fill(int*, int) in stream 3 "
                        "writes"));
}

TEST_F(Exec, RaceOfStreamsHasTheCallsOfBothWorks) {
  compile("stream_races");
  const Result all = scratch.run({"exec", "./program", "all"});
  EXPECT_EQ(all.status, 0) << all.error;
  EXPECT_THAT(all.error, HasSubstr(": 0 findings\n"));
  const Result wrong = scratch.run({"exec", "./program", "kernels", "unordered"});
  EXPECT_THAT(wrong.error, testing::ContainsRegex("launched by kernels\\(\\) at .*races.cu:29"));
  EXPECT_THAT(
      wrong.error,
      testing::ContainsRegex("launch 1 of fill\\(int\\*, int\\) called by kernels\\(\\) at .*:27"));
}

}  // namespace
}  // namespace warpcheck::tool

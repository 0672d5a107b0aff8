// alloca, stacksave and stackrestore.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::StartsWith;

/// %d2 is the size, 4 bytes for thread 0, 8 for thread 1 ...; %d1 the memory.
constexpr std::string_view kAllocate =
    "add.u32 %r1, %me, 1; mul.wide.u32 %d2, %r1, 4; alloca.u64 %d1, %d2, 16;";

std::string stack_finding(const std::string& body, std::string_view functions = "") {
  return run(std::string(kAllocate) + body, {}, {.block = {4, 1, 1}}, functions).finding();
}

TEST(Stack, EachThreadHasItsOwnMemory) {
  const Result result = run(std::string(kAllocate) +
                                "st.local.u32 [%d1], %me; cvta.local.u64 %d3, %d1;"
                                "ld.u32 %r2, [%d3]; st.global.u32 [%own], %r2;",
                            {}, {.block = {4, 1, 1}});
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(3), 3U);
}

TEST(Stack, MemoryHasTheSizeOfEachThread) {
  // Thread 0 has 4 bytes, thread 1 has 8.
  EXPECT_EQ(stack_finding("setp.eq.u32 %p1, %me, 1; @%p1 st.local.u32 [%d1+4], 1;"), "");
  EXPECT_EQ(stack_finding("st.local.u32 [%d1+4], 1;"),
            "out-of-bounds: 4-byte store to byte 4 of memory of alloca, which has 4 bytes");
  EXPECT_EQ(stack_finding("cvta.local.u64 %d3, %d1; st.u8 [%d3+16], 1;"),
            "out-of-bounds: 1-byte store to byte 16 of memory of alloca, which has 4 bytes");
}

TEST(Stack, NewMemoryIsUninitialized) {
  EXPECT_THAT(stack_finding("ld.local.u32 %r2, [%d1]; st.global.u32 [%own], %r2;"),
              StartsWith("uninitialized-read"));
}

TEST(Stack, MemoryEndsWithItsFunction) {
  constexpr std::string_view kEscape =
      ".func (.reg .b64 place) escape() { .reg .b64 %d<2>; alloca.u64 %d1, 8, 8;"
      " st.local.u32 [%d1], 1; mov.b64 place, %d1; ret; }\n";
  EXPECT_EQ(stack_finding("call (%d4), escape; ld.local.u32 %r2, [%d4];", kEscape),
            "use-after-free: 4-byte load from byte 0 of memory of alloca, which was freed before");
  EXPECT_EQ(stack_finding("call (%d4), escape; st.local.u32 [%d1], 1;", kEscape), "");
}

TEST(Stack, RestoreFreesWhatWasAllocatedSince) {
  EXPECT_EQ(stack_finding("stacksave.u64 %d3; alloca.u64 %d4, 8; st.local.u32 [%d4], 1;"
                          "stackrestore.u64 %d3; st.local.u32 [%d1], 1;"),
            "");
  EXPECT_EQ(stack_finding("stacksave.u64 %d3; alloca.u64 %d4, 8; stackrestore.u64 %d3;"
                          "st.local.u32 [%d4], 1;"),
            "use-after-free: 4-byte store to byte 0 of memory of alloca, which was freed before");
}

TEST(Stack, SizeIsLimited) {
  EXPECT_THAT(stack_finding("alloca.u64 %d4, 524289;"),
              StartsWith("launch-failure: alloca of 524289"));
  // Each thread has allocated up to 16 bytes before.
  EXPECT_THAT(stack_finding("alloca.u64 %d4, 524288;"),
              StartsWith("launch-failure: alloca of 524288"));
  EXPECT_EQ(stack_finding("alloca.u64 %d4, 524272;"), "");
}

}  // namespace
}  // namespace warpcheck::isa::test

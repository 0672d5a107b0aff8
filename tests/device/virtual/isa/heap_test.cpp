// malloc and free of device code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kHeap =
    ".extern .func (.param .b64 r) malloc(.param .b64 size);\n"
    ".extern .func free(.param .b64 block);\n";

/// `%d1 = malloc(size)`.
std::string allocation(const std::string& size) {
  return "{ .param .b64 s; .param .b64 r; st.param.b64 [s], " + size +
         "; call.uni (r), malloc, (s); ld.param.b64 %d1, [r]; } ";
}
constexpr std::string_view kFree = "{ .param .b64 b; st.param.b64 [b], %d1; call.uni free, (b); } ";

std::string heap_finding(const std::string& body) {
  return run(body, {}, {.block = {2, 1, 1}}, kHeap).finding();
}

TEST(Heap, EachThreadHasItsOwnBlock) {
  const Result result = run(allocation("8") +
                                "st.u32 [%d1], %me; st.u32 [%d1+4], 7; ld.u64 %d2, [%d1];"
                                "st.global.u64 [%own], %d2;" +
                                std::string(kFree),
                            {}, {.block = {4, 1, 1}}, kHeap);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(6), 3U);
  EXPECT_EQ(result.at<std::uint32_t>(7), 7U);
}

TEST(Heap, BlocksOfAGridShareTheHeap) {
  const Result result =
      run("mov.u32 %r2, %ctaid.x; mul.wide.u32 %d5, %r2, 8; add.u64 %own, %out, %d5;" +
              allocation("8") +
              "st.u64 [%d1], %d5; ld.u64 %d2, [%d1];"
              "st.global.u64 [%own], %d2;",
          {}, {.grid = {3, 1, 1}, .block = {1, 1, 1}, .host_threads = 2}, kHeap);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(2), 16U);
}

TEST(Heap, BlocksAreAlignedAndApart) {
  const Result result = run(allocation("3") + "mov.b64 %d2, %d1;" + allocation("1") +
                                "or.b64 %d3, %d1, %d2; and.b64 %d3, %d3, 15;"
                                "sub.u64 %d4, %d1, %d2; setp.eq.u64 %p1, %d4, 0;"
                                "selp.u64 %d3, 99, %d3, %p1; st.global.u64 [%own], %d3;",
                            {}, {}, kHeap);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(0), 0U);
}

TEST(Heap, AccessBeyondABlockIsOutOfBounds) {
  EXPECT_EQ(heap_finding(allocation("6") + "st.u16 [%d1+4], 1;"), "");
  EXPECT_EQ(heap_finding(allocation("6") + "st.u32 [%d1+4], 1;"),
            "out-of-bounds: 4-byte store to byte 4 of heap block 1, which has 6 bytes");
  EXPECT_THAT(heap_finding(allocation("6") + "ld.u8 %r1, [%d1+-1];"), StartsWith("out-of-bounds"));
}

TEST(Heap, NewBlockIsUninitialized) {
  EXPECT_THAT(heap_finding(allocation("4") + "ld.u32 %r1, [%d1]; st.global.u32 [%own], %r1;"),
              StartsWith("uninitialized-read"));
}

TEST(Heap, AccessAfterFreeIsUseAfterFree) {
  EXPECT_EQ(
      heap_finding(allocation("4") + "st.u32 [%d1], 1;" + std::string(kFree) + "st.u32 [%d1], 2;"),
      "use-after-free: 4-byte store to byte 0 of heap block 1, which was freed before");
}

TEST(Heap, BlockIsFreedOnce) {
  EXPECT_EQ(heap_finding(allocation("4") + std::string(kFree) + std::string(kFree)),
            "use-after-free: free of heap block 1, which was freed before");
  EXPECT_EQ(heap_finding("mov.u64 %d1, 0;" + std::string(kFree)), "");
  EXPECT_THAT(heap_finding("mov.b64 %d1, %out;" + std::string(kFree)),
              HasSubstr("which malloc did not return"));
  EXPECT_THAT(heap_finding(allocation("4") + "add.u64 %d1, %d1, 4;" + std::string(kFree)),
              HasSubstr("which malloc did not return"));
}

TEST(Heap, FullHeapReturnsNull) {
  // 8 MiB by default (cudaLimitMallocHeapSize).
  const auto is_null = [](const std::string& before, const std::string& size) {
    const Result result = run(before + allocation(size) + "st.global.u64 [%own], %d1;", {},
                              {.block = {1, 1, 1}}, kHeap);
    EXPECT_EQ(result.finding(), "");
    return result.at<std::uint64_t>(0) == 0;
  };
  EXPECT_FALSE(is_null("", "8388608"));
  EXPECT_TRUE(is_null("", "8388609"));
  EXPECT_TRUE(is_null("", "0xffffffffffffffff"));
  EXPECT_TRUE(is_null(allocation("1"), "8388608"));
  EXPECT_FALSE(is_null(allocation("1") + std::string(kFree), "8388608"));
}

}  // namespace
}  // namespace warpcheck::isa::test

// Expected values: published examples, and others computed by hand from the tables of the CUDA C++
// Programming Guide.
#include "workflows/profile/occupancy.hpp"

#include <gtest/gtest.h>

namespace warpcheck::workflows::profile {
namespace {

constexpr std::size_t kKiB = 1024;

Occupancy of(std::string_view architecture, unsigned threads, unsigned registers,
             std::size_t shared_bytes) {
  return occupancy(multiprocessor(architecture).value(), {threads, registers, shared_bytes});
}

// CUDA C++ Best Practices Guide, "Calculating Occupancy": on compute capability 7.0, 37 registers
// per thread allow 12 blocks of 128 threads, 75 %, but only four of 320, 63 %.
TEST(Occupancy, MatchesExampleOfBestPracticesGuide) {
  const Occupancy narrow = of("sm_70", 128, 37, 0);
  EXPECT_EQ(narrow.active_blocks, 12U);
  EXPECT_DOUBLE_EQ(narrow.share, 0.75);
  EXPECT_EQ(narrow.limiter, "registers");
  const Occupancy wide = of("sm_70", 320, 37, 0);
  EXPECT_EQ(wide.active_blocks, 4U);
  EXPECT_DOUBLE_EQ(wide.share, 0.625);
}

TEST(Occupancy, IsFullWith32RegistersPerThread) {
  // 32 registers x 32 lanes = 1024; 16384 / 1024 = 16 warps per quarter, 64 in all, 8 blocks of 8.
  const Occupancy full = of("sm_80", 256, 32, 0);
  EXPECT_EQ(full.by_registers, 8U);
  EXPECT_EQ(full.active_blocks, 8U);
  EXPECT_DOUBLE_EQ(full.share, 1.0);
  EXPECT_EQ(full.limiter, "warps");
}

TEST(Occupancy, IsHalfWith40RegistersAndFullBlocks) {
  // 40 x 32 = 1280; 16384 / 1280 = 12 warps per quarter, 48 in all: one block of 32.
  const Occupancy half = of("sm_80", 1024, 40, 8192);
  EXPECT_EQ(half.active_blocks, 1U);
  EXPECT_DOUBLE_EQ(half.share, 0.5);
  EXPECT_EQ(half.limiter, "registers");
}

TEST(Occupancy, CountsKibibyteReservedPerBlock) {
  // 48 KiB + 1 KiB = 50176 bytes of 167936: three blocks of 8 warps.
  const Occupancy shared = of("sm_80", 256, 32, 48 * kKiB);
  EXPECT_EQ(shared.active_blocks, 3U);
  EXPECT_DOUBLE_EQ(shared.share, 0.375);
  EXPECT_EQ(shared.limiter, "shared memory");
  // Two blocks of exactly 81 KiB fit into 164 KiB, and not a byte more.
  EXPECT_EQ(of("sm_80", 256, 32, 81 * kKiB).active_blocks, 2U);
  EXPECT_EQ(of("sm_80", 256, 32, 81 * kKiB + 1).active_blocks, 1U);
}

TEST(Occupancy, FullBlockFillsTwoThirdsOf48Warps) {
  const Occupancy ampere = of("sm_86", 1024, 32, 0);
  EXPECT_EQ(ampere.active_warps, 32U);
  EXPECT_DOUBLE_EQ(ampere.share, 32.0 / 48.0);
  EXPECT_EQ(ampere.limiter, "warps");
}

TEST(Occupancy, IsLimitedByNumberOfBlocks) {
  const Occupancy small = of("sm_89", 32, 16, 0);
  EXPECT_EQ(small.active_blocks, 24U);
  EXPECT_DOUBLE_EQ(small.share, 0.5);
  EXPECT_EQ(small.limiter, "blocks");
}

TEST(Occupancy, LargestHopperBlockRunsAlone) {
  const Occupancy large = of("sm_90a", 384, 168, 227 * kKiB);
  EXPECT_EQ(large.by_shared, 1U);
  EXPECT_EQ(large.active_blocks, 1U);
  EXPECT_EQ(large.active_warps, 12U);
}

TEST(Occupancy, UnknownArchitectureHasNoLimits) {
  EXPECT_FALSE(multiprocessor("sm_35").has_value());
  EXPECT_FALSE(multiprocessor("").has_value());
}

}  // namespace
}  // namespace warpcheck::workflows::profile

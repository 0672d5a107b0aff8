#include "campaign/shard.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace warpcheck::workflows::history {
namespace {

TEST(Shard, EveryCaseBelongsToExactlyOneShard) {
  for (const unsigned of : {1U, 2U, 3U, 16U, 100U}) {
    for (std::int64_t index = 0; index < 2000; ++index) {
      unsigned held = 0;
      for (unsigned number = 1; number <= of; ++number) {
        held += campaign::Shard{number, of}.holds(7, "sgemm", index) ? 1 : 0;
      }
      ASSERT_EQ(held, 1U) << index << " of " << of;
    }
  }
}

TEST(Shard, ShardsHaveAboutTheSameSize) {
  std::vector<int> sizes(16);
  for (std::int64_t index = 0; index < 16000; ++index) {
    for (unsigned number = 1; number <= 16; ++number) {
      sizes[number - 1] += campaign::Shard{number, 16}.holds(0, "sgemm_naive", index) ? 1 : 0;
    }
  }
  // The distribution is binomial with mean 1000 and standard deviation 31.
  for (const int size : sizes) EXPECT_NEAR(size, 1000, 200);
}

TEST(Shard, SeedAndVariantChangeTheSplit) {
  int by_seed = 0;
  int by_variant = 0;
  for (std::int64_t index = 0; index < 1000; ++index) {
    const campaign::Shard shard{1, 2};
    const bool held = shard.holds(1, "a", index);
    by_seed += held != shard.holds(2, "a", index) ? 1 : 0;
    by_variant += held != shard.holds(1, "b", index) ? 1 : 0;
  }
  EXPECT_NEAR(by_seed, 500, 100);
  EXPECT_NEAR(by_variant, 500, 100);
}

}  // namespace
}  // namespace warpcheck::workflows::history

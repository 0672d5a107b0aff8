#include "base/hash.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <string>

namespace warpcheck {
namespace {

TEST(Hash, SplitMix64GivesThePublishedNumbers) {
  // The first numbers of the authors' program for the seed 1234567.
  EXPECT_EQ(mixed(1234567), 6457827717110365317U);
  EXPECT_EQ(mixed(1234567 + kGoldenRatio), 3203168211198807973U);
}

TEST(Hash, Fnv1aGivesThePublishedValues) {
  EXPECT_EQ(fnv1a(""), 0xCBF29CE484222325U);
  EXPECT_EQ(fnv1a("a"), 0xAF63DC4C8601EC8CU);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171F73967E8U);
}

RC_GTEST_PROP(Hash, Fnv1aOfAConcatenationContinues, (std::string first, std::string second)) {
  RC_ASSERT(fnv1a(first + second) == fnv1a(second, fnv1a(first)));
}

RC_GTEST_PROP(Hash, FoldIsABijectionOfTheState, (std::uint64_t state, std::uint64_t word)) {
  // The inverse: undo the shift, multiply with the inverse of the factor modulo 2^64, undo the
  // word.
  const std::uint64_t hash = folded(state, word);
  std::uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - kGoldenRatio * inverse;
  RC_ASSERT((((hash ^ (hash >> 32)) * inverse) ^ word) == state);
}

RC_GTEST_PROP(Hash, OneChangedBitChangesManyBits, (std::uint64_t value)) {
  const int bit = *rc::gen::inRange(0, 64);
  const int changed = std::popcount(finalized(value) ^ finalized(value ^ std::uint64_t{1} << bit));
  RC_ASSERT(changed >= 8);
  RC_ASSERT(changed <= 56);
}

}  // namespace
}  // namespace warpcheck

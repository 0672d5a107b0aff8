#include "device/virtual/semantics/atomics.hpp"

#include <gtest/gtest.h>

namespace warpcheck::semantics {
namespace {

TEST(Atomics, IncrementWrapsAtItsBound) {
  EXPECT_EQ(atomic_inc(3, 5), 4U);
  EXPECT_EQ(atomic_inc(5, 5), 0U);
  EXPECT_EQ(atomic_inc(9, 5), 0U);
  EXPECT_EQ(atomic_inc(0, 0), 0U);
}

TEST(Atomics, DecrementWrapsToItsBound) {
  EXPECT_EQ(atomic_dec(3, 5), 2U);
  EXPECT_EQ(atomic_dec(0, 5), 5U);
  EXPECT_EQ(atomic_dec(9, 5), 5U);
  EXPECT_EQ(atomic_dec(5, 5), 4U);
}

TEST(Atomics, CompareAndSwapComparesBits) {
  EXPECT_EQ(atomic_cas(7U, 7U, 9U), 9U);
  EXPECT_EQ(atomic_cas(7U, 8U, 9U), 7U);
  EXPECT_EQ(atomic_cas(0x7fffffffU, 0x7fffffffU, 1U), 1U) << "NaN equals itself";
  EXPECT_EQ(atomic_cas(0x80000000U, 0U, 1U), 0x80000000U) << "-0 is not +0";
  EXPECT_EQ(atomic_exch(1.5, 2.5), 2.5);
}

TEST(Atomics, AddRoundsAndFlushesInGlobalMemory) {
  EXPECT_EQ(atomic_add(std::int32_t{0x7fffffff}, std::int32_t{1}),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(atomic_add<false>(0x1p-149F, 0x1p-149F), 0x1p-148F);
  EXPECT_EQ(atomic_add<true>(0x1p-149F, 0x1p-149F), 0.0F);
  EXPECT_EQ(atomic_add(1.0, 0x1p-53), 1.0);
  EXPECT_EQ(atomic_add(f16{1}, f16{1}).bits, 2) << "halves keep their subnormals";
  EXPECT_EQ(atomic_add(bf16{0xff80}, bf16{0x7f80}).bits, 0x7fff);
}

}  // namespace
}  // namespace warpcheck::semantics

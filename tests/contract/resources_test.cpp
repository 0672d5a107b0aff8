#include "contract/compile/resources.hpp"

#include <gtest/gtest.h>

namespace warpcheck::contract {
namespace {

// The output of ptxas of CUDA 13.0.
constexpr std::string_view kOutput = R"(ptxas info    : 2 bytes gmem, 16 bytes cmem[4]
ptxas info    : Compiling entry function 'one' for 'sm_80'
ptxas info    : Function properties for one
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 8192 bytes smem, 408 bytes cmem[0]
ptxas info    : Compile time = 8.243 ms
ptxas info    : Compiling entry function 'two' for 'sm_80'
ptxas info    : Function properties for two
    152 bytes stack frame, 148 bytes spill stores, 196 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 388 bytes cmem[0]
)";

TEST(Resources, AreThoseOfTheRequestedEntry) {
  const auto one = read_resources(kOutput, "one");
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->registers, 40U);
  EXPECT_EQ(one->shared_bytes, 8192U);
  EXPECT_EQ(one->spill_bytes, 0U);
  const auto two = read_resources(kOutput, "two");
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(two->registers, 255U);
  EXPECT_EQ(two->shared_bytes, 0U);
  EXPECT_EQ(two->spill_bytes, 148U);
}

TEST(Resources, AreEmptyForAnEntryThatPtxasDoesNotName) {
  EXPECT_FALSE(read_resources(kOutput, "three").has_value());
}

}  // namespace
}  // namespace warpcheck::contract

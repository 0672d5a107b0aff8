// EXPECT_KERNEL and ASSERT_KERNEL for GoogleTest:
//
//   TEST(Sgemm, IsCorrect) { EXPECT_KERNEL("sgemm.cu", warpcheck::Options{200}); }
//
// The failure has the text of the console, with the command that replays each finding. A pass that
// is mistrusted, a kernel that the device cannot execute, a wrong contract and a missing nvcc fail
// too.
#ifndef WARPCHECK_GTEST_HPP
#define WARPCHECK_GTEST_HPP

#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "warpcheck/warpcheck.hpp"

namespace warpcheck {

/// Success only if all variants of the contract pass.
inline testing::AssertionResult kernel_passes(const std::string& path,
                                              const Options& options = {}) {
  try {
    const Result result = Contract(path).check(options);
    if (result.passed()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << path << ":\n" << result.text;
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << path << " could not be checked:\n" << error.what();
  }
}

}  // namespace warpcheck

#define EXPECT_KERNEL(...) EXPECT_TRUE(::warpcheck::kernel_passes(__VA_ARGS__))
#define ASSERT_KERNEL(...) ASSERT_TRUE(::warpcheck::kernel_passes(__VA_ARGS__))

#endif

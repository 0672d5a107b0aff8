// The results, logs and PTX text that the worker reads.
#include <gtest/gtest.h>

#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/jit_log.hpp"

namespace warpcheck::device::cuda {
namespace {

TEST(DriverError, OnlyFaultsAreSticky) {
  EXPECT_FALSE(is_sticky(kInvalidValue));
  EXPECT_FALSE(is_sticky(kNotFound));
  EXPECT_FALSE(is_sticky(kLaunchOutOfResources));
  for (const int result : {700, 702, 710, 714, 715, 716, 717, 718, 719, 999}) {
    EXPECT_TRUE(is_sticky(result)) << result;
  }
}

TEST(JitLog, EachLocatedLineIsADiagnostic) {
  const auto diagnostics = parse_jit_log(
      "ptxas application ptx input, line 1; error   : one\n"
      "ptxas application ptx input, line 3; error   : two\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n",
      "first\nsecond\nthird\n", "k.ptx");
  ASSERT_EQ(diagnostics.size(), 2U);
  EXPECT_EQ(render(diagnostics[0]), "k.ptx:1: error: ptxas: one\n  first\n");
  EXPECT_EQ(render(diagnostics[1]), "k.ptx:3: error: ptxas: two\n  third\n");
}

TEST(JitLog, LogWithoutALineIsOneDiagnosticOfTheFile) {
  const auto diagnostics = parse_jit_log("ptxas fatal   : no\n\n", "text", "k.ptx");
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(render(diagnostics[0]),
            "k.ptx: error: the driver rejects the PTX: ptxas fatal   : no\n");
}

}  // namespace
}  // namespace warpcheck::device::cuda

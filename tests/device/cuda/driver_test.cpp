// The results, logs and PTX text that the worker reads.
#include <gtest/gtest.h>

#include "device/cuda/driver_error.hpp"
#include "device/cuda/jit_log.hpp"
#include "device/cuda/session.hpp"

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

TEST(Session, GlobalVariableIsNoGlobalAccess) {
  EXPECT_TRUE(
      keeps_global_variables(".version 8.5\n.global .u32 counter;\nld.u32 %r1, [counter];"));
  EXPECT_TRUE(
      keeps_global_variables(".visible .global .align 4 .b8 table[16];\nmov.u64 %rd1, table;\n"));
  EXPECT_TRUE(keeps_global_variables(".global .u32 a = 1;\n.global .u64 b = a;\n"));
  EXPECT_TRUE(keeps_global_variables(".global .u32 a, b;")) << "a list of variables";
  EXPECT_FALSE(keeps_global_variables("ld.global.f32 %f1, [%rd1];\n st.global.u32 [%rd1], %r1;"));
}

TEST(Session, UnusedVariableIsNotKept) {
  EXPECT_FALSE(keeps_global_variables(".global .align 1 .u8 _Z5entryILi0EE;\nmov.u32 %r1, %r2;"));
  EXPECT_FALSE(keeps_global_variables(".global .align 4 .b8 table[4] = {1, 2, 3, 4};\n"));
  EXPECT_FALSE(keeps_global_variables(".global .u8 tab;\n.global .u8 table;\n.global .u8 a.tab$;"));
  EXPECT_TRUE(keeps_global_variables(".global .u8 tab;\nst.u8 [tab], 1;"));
}

TEST(Session, KernelThatReadsTheGridBarrierIsCooperative) {
  constexpr std::string_view kPtx =
      ".visible .entry plain(\n\t.param .u64 p\n)\n{\n\tmov.u32 %r1, %tid.x;\n\tret;\n}\n"
      ".visible .entry meets(\n\t.param .u64 p\n)\n{\n\tmov.u32 %r1, %envreg2;\n\tret;\n}\n"
      ".visible .entry last()\n{\n\tret;\n}\n";
  EXPECT_EQ(cooperative_entries(kPtx), (std::set<std::string, std::less<>>{"meets"}));
}

}  // namespace
}  // namespace warpcheck::device::cuda

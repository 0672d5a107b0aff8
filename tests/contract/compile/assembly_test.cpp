// Errors of ptxas, read from its output, and the table that replaces it on machines without ptxas.
#include "contract/compile/assembly.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "contract/compile/target_requirements.hpp"

namespace warpcheck::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Two kernels; the second one has source lines, the last of them inlined.
Compiled two_kernels(const std::string& target = "sm_80") {
  return {"/w/two.cu", "", "/c/two.ptx",
          fmt::format(".version 8.0\n.target {}\n.address_size 64\n"  // lines 1 to 3
                      ".visible .entry first()\n{{\n"                 // 4, 5
                      "  ret;\n}}\n"                                  // 6, 7
                      ".visible .entry second()\n{{\n"                // 8, 9
                      "  .loc 1 15 3\n"                               // 10
                      "  barrier.cluster.arrive;\n"                   // 11
                      "  .loc 2 7 1, function_name x, inlined_at 1 16 5\n"
                      "  barrier.cluster.wait;\n"  // 13
                      "  ret;\n}}\n"
                      ".file 1 \"/w/two.cu\"\n.file 2 \"/cuda/include/cluster.h\"\n"
                      ".section .debug_str {{\nx:\n.b8 0\n}}\n",
                      target)};
}

TEST(Assembly, ErrorHasItsKernelAndSourceLine) {
  const auto errors = assembly_errors(
      "ptxas /c/two.ptx, line 11; error   : Feature 'barrier.cluster.arrive' requires .target "
      "sm_90 or higher\n"
      "ptxas /c/two.ptx, line 13; error   : Feature 'barrier.cluster.wait' requires .target sm_90 "
      "or higher\nptxas fatal   : Ptx assembly aborted due to errors\n",
      two_kernels());
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0].message,
            "ptxas refuses the PTX: Feature 'barrier.cluster.arrive' requires .target sm_90 or "
            "higher");
  EXPECT_EQ(errors[0].entry, "second");
  EXPECT_EQ(errors[0].where, (Location{"/w/two.cu", 15, 3}));
  EXPECT_EQ(errors[0].ptx_line, 11U);
  EXPECT_EQ(errors[1].where, (Location{"/w/two.cu", 16, 5})) << "the line of the author";
}

TEST(Assembly, ErrorWithoutLineNamesItsKernel) {
  const auto errors = assembly_errors(
      "ptxas error   : Entry function 'first' uses too much shared data (0xc001 bytes, 0xc000 "
      "max)\n",
      two_kernels());
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].entry, "first");
  EXPECT_EQ(errors[0].ptx_line, 0U);
}

TEST(Assembly, WarningsAndTroubleOfTheMachineAreNoErrors) {
  EXPECT_THAT(assembly_errors("", two_kernels()), IsEmpty());
  EXPECT_THAT(
      assembly_errors("ptxas info    : 8 bytes gmem\n"
                      "ptxas warning : Too big maxrregcount value specified 300, will be ignored\n"
                      "ptxas fatal   : Value 'sm_999' is not defined for option 'gpu-name'\n"
                      "ptxas fatal   : Unresolved extern function 'defined_elsewhere'\n"
                      "an error : of another program\n",
                      two_kernels()),
      IsEmpty());
}

TEST(TargetRequirements, InstructionsThatTheTargetLacksAreErrors) {
  const auto errors = target_errors(two_kernels());
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0].message,
            "barrier.cluster.arrive requires .target sm_90 or higher; the PTX is for sm_80");
  EXPECT_EQ(errors[0].ptx_line, 11U);
  EXPECT_EQ(errors[1].ptx_line, 13U);
  EXPECT_THAT(target_errors(two_kernels("sm_90")), IsEmpty());
  EXPECT_THAT(target_errors(two_kernels("sm_100a")), IsEmpty());
}

Compiled kernel_with(const std::string& target, const std::string& instruction) {
  return {"", "", "x.ptx",
          fmt::format(".version 9.0\n.target {}\n.address_size 64\n.visible .entry k() {{\n"
                      ".reg .b32 %r<9>; {} ret; }}",
                      target, instruction)};
}

TEST(TargetRequirements, FeatureOfOneArchitectureNeedsIt) {
  const std::string fence = "wgmma.fence.sync.aligned;";
  EXPECT_THAT(target_errors(kernel_with("sm_90", fence)), SizeIs(1));
  EXPECT_THAT(target_errors(kernel_with("sm_90a", fence)), IsEmpty());
  EXPECT_EQ(target_errors(kernel_with("sm_100", fence)).at(0).message,
            "wgmma.fence.sync.aligned requires .target sm_90a; the PTX is for sm_100");
}

TEST(TargetRequirements, VariantIsRefusedForItsOwnEntries) {
  Variant variant;
  auto compiled = std::make_shared<Compiled>(two_kernels());
  compiled->errors = {{"bad", "second", {}, 11}};
  variant.compiled = compiled;
  variant.entries = {{"first", {}}};
  EXPECT_EQ(variant.refusal(), nullptr);
  variant.entries.push_back({"second", {}});
  ASSERT_NE(variant.refusal(), nullptr);
  EXPECT_EQ(variant.refusal()->message, "bad");
}

}  // namespace
}  // namespace warpcheck::contract

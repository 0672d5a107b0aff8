// The table of target requirements compared with ptxas, and the errors that ptxas reports.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>

#include "base/files.hpp"
#include "base/process/child_process.hpp"
#include "contract/compile/assembly.hpp"
#include "contract/compile/target_requirements.hpp"
#include "tests/contract/nvcc_test.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;

using Ptxas = NvccTest;

Compiled written(const fs::path& in, const std::string& target, const std::string& body) {
  const fs::path file = in / "k.ptx";
  const std::string text = fmt::format(
      ".version 9.0\n.target {}\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n"
      ".reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<32>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n"
      ".reg .f64 %e<9>; .reg .b128 %q<4>; .shared .align 16 .b8 s[1024];\n{}\nret;\n}}\n",
      target, body);
  write_file(file, text);
  return {"k.cu", "", file.string(), text};
}

/// An instruction for each row of the table: mnemonic and modifiers, then operands.
const std::map<std::string, std::string> kExamples = {
    {"cp async", "cp.async.ca.shared.global [s], [%d1], 16;"},
    {"cp async bulk", "cp.async.bulk.commit_group;"},
    {"cp reduce async bulk",
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [s], 16;"},
    {"mbarrier ", "mbarrier.init.shared.b64 [s], 1;"},
    {"mbarrier try_wait", "mbarrier.try_wait.shared.b64 %p1, [s], %d1;"},
    {"mbarrier expect_tx", "mbarrier.expect_tx.relaxed.cta.shared.b64 [s], 16;"},
    {"mbarrier complete_tx", "mbarrier.complete_tx.relaxed.cta.shared.b64 [s], 16;"},
    {"redux sync", "redux.sync.add.u32 %r1, %r2, -1;"},
    {"ldmatrix ", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [s];"},
    {"movmatrix ", "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;"},
    {"stmatrix ", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], {%r1};"},
    {"mma bf16",
     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, "
     "{%f5,%f6,%f7,%f8};"},
    {"mma tf32",
     "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, "
     "{%f5,%f6,%f7,%f8};"},
    {"mma f64",
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%e1,%e2}, {%e3}, {%e4}, {%e5,%e6};"},
    {"mma m16n8k16",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
     "{%r5,%r6}, {%f5,%f6,%f7,%f8};"},
    {"mma m16n8k32",
     "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, "
     "{%r9,%r10}, {%r11,%r12,%r13,%r14};"},
    {"mma sp",
     "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1,%r2}, {%r3,%r4}, {%r5,%r6}, "
     "{%r7,%r8}, %r9, 0;"},
    {"mma e4m3",
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
     "{%r5,%r6}, {%f5,%f6,%f7,%f8};"},
    {"mma e5m2",
     "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
     "{%r5,%r6}, {%f5,%f6,%f7,%f8};"},
    {"mma m16n8k8 f64",
     "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%e1,%e2,%e3,%e4}, {%e1,%e2,%e3,%e4}, "
     "{%e5,%e6}, {%e1,%e2,%e3,%e4};"},
    {"mma m16n8k16 f64",
     "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%e1,%e2,%e3,%e4}, "
     "{%e1,%e2,%e3,%e4,%e1,%e2,%e3,%e4}, {%e1,%e2,%e3,%e4}, {%e1,%e2,%e3,%e4};"},
    {"wmma bf16", "wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%r1,%r2,%r3,%r4}, [s];"},
    {"wmma tf32", "wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r1,%r2,%r3,%r4}, [s];"},
    {"wmma f64", "wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%e1}, [s];"},
    {"wgmma ", "wgmma.fence.sync.aligned;"},
    {"setmaxnreg ", "setmaxnreg.inc.sync.aligned.u32 96;"},
    {"barrier cluster", "barrier.cluster.arrive;"},
    {"mapa ", "mapa.shared::cluster.u32 %r1, %r2, 0;"},
    {"getctarank ", "getctarank.shared::cluster.u32 %r1, %r2;"},
    {"elect sync", "elect.sync %r1|%p1, -1;"},
    {"griddepcontrol ", "griddepcontrol.wait;"},
    {"multimem ", "multimem.st.weak.global.f32 [%d1], %f1;"},
    {"fence proxy async", "fence.proxy.async;"},
    {"fence mbarrier_init", "fence.mbarrier_init.release.cluster;"},
    {"st async", "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];"},
    {"red async",
     "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, "
     "[%r3];"},
    {" shared::cluster", "ld.shared::cluster.u32 %r1, [%r2];"},
    {"createpolicy ", "createpolicy.fractional.L2::evict_last.b64 %d1, 1.0;"},
    {"discard ", "discard.global.L2 [%d1], 128;"},
    {"applypriority ", "applypriority.global.L2::evict_normal [%d1], 128;"},
    {"fma bf16", "fma.rn.bf16 %h1, %h2, %h3, %h4;"},
    {"fma bf16x2", "fma.rn.bf16x2 %r1, %r2, %r3, %r4;"},
    {"min bf16", "min.bf16 %h1, %h2, %h3;"},
    {"max bf16", "max.bf16 %h1, %h2, %h3;"},
    {"min f16", "min.f16 %h1, %h2, %h3;"},
    {"max f16", "max.f16 %h1, %h2, %h3;"},
    {"add bf16", "add.bf16 %h1, %h2, %h3;"},
    {"add bf16x2", "add.bf16x2 %r1, %r2, %r3;"},
    {"sub bf16", "sub.bf16 %h1, %h2, %h3;"},
    {"mul bf16", "mul.bf16 %h1, %h2, %h3;"},
    {"tanh bf16", "tanh.approx.bf16 %h1, %h2;"},
    {"ex2 bf16", "ex2.approx.ftz.bf16 %h1, %h2;"},
    {"atom bf16", "atom.global.add.noftz.bf16 %h1, [%d1], %h2;"},
    {"atom b128", "atom.global.exch.b128 %q1, [%d1], %q2;"},
    {"cvt bf16", "cvt.rn.bf16.f32 %h1, %f1;"},
    {"cvt bf16x2", "cvt.rn.bf16x2.f32 %r1, %f1, %f2;"},
    {"cvt tf32", "cvt.rna.tf32.f32 %r1, %f1;"},
    {"cvt e4m3x2", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"},
    {"cvt e5m2x2", "cvt.rn.satfinite.e5m2x2.f32 %h1, %f1, %f2;"},
};

/// The architectures that ptxas 13 has, in order.
constexpr std::array kArchitectures = {75U, 80U, 86U, 89U, 90U};

TEST_F(Ptxas, AgreesWithTheTableOfTargetRequirements) {
  const fs::path& in = folder();
  for (const TargetRequirement& row : target_requirements()) {
    const std::string key = fmt::format("{} {}", row.mnemonic, row.modifiers);
    ASSERT_TRUE(kExamples.contains(key)) << key;
    const std::string& example = kExamples.at(key);
    const auto accepts = [&](const std::string& target) {
      const Compiled compiled = written(in, target, example);
      const ChildResult result = run_child(
          {find_ptxas().string(), "--gpu-name", target, "-o", "/dev/null", compiled.ptx_file});
      EXPECT_EQ(target_errors(compiled).empty(), result.status == 0)
          << example << " for " << target << ": " << result.output;
      return result.status == 0;
    };
    const std::string target = fmt::format("sm_{}{}", row.target, row.exactly ? "a" : "");
    EXPECT_TRUE(accepts(target)) << example << " for " << target;
    if (row.exactly) {
      EXPECT_FALSE(accepts(fmt::format("sm_{}", row.target))) << example;
    }
    const auto found = std::find(kArchitectures.begin(), kArchitectures.end(), row.target);
    if (found == kArchitectures.begin()) continue;
    const std::string before = fmt::format("sm_{}", *(found - 1));
    EXPECT_FALSE(accepts(before)) << example << " for " << before;
  }
}

TEST_F(Ptxas, ErrorsAreAddedToACompiledSource) {
  const fs::path& in = folder();
  const auto good = assembled(std::make_shared<Compiled>(written(in, "sm_80", "mov.u32 %r1, 1;")));
  EXPECT_TRUE(good->errors.empty());
  EXPECT_TRUE(fs::exists(in / "k.ptxas")) << "the result is cached";
  fs::remove(in / "k.ptxas");
  const auto bad = assembled(std::make_shared<Compiled>(
      written(in, "sm_80", ".shared .b8 t[48129]; barrier.cluster.arrive;")));
  ASSERT_EQ(bad->errors.size(), 1U);
  EXPECT_EQ(bad->errors[0].message,
            "ptxas refuses the PTX: Feature 'barrier.cluster.arrive' requires .target sm_90 or "
            "higher");
  EXPECT_EQ(bad->errors[0].entry, "k");
  fs::remove(in / "k.ptxas");
  const auto large =
      assembled(std::make_shared<Compiled>(written(in, "sm_80", ".shared .b8 t[48129];")));
  ASSERT_EQ(large->errors.size(), 1U);
  EXPECT_EQ(large->errors[0].message,
            "ptxas refuses the PTX: Entry function 'k' uses too much shared data (0xc001 bytes, "
            "0xc000 max)");
}

}  // namespace
}  // namespace warpcheck::contract

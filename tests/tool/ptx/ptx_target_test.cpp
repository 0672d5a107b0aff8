// Checks .ptx files with a contract beside them, as other compilers than nvcc write them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kNoNvcc = "WARPCHECK_NVCC=/nonexistent";

/// One thread computes one element of C. The 16th line guards it.
constexpr const char* kProduct = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry product(.param .u64 pa, .param .u64 pb, .param .u64 pc,
                        .param .u32 pm, .param .u32 pn, .param .u32 pk) {
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .f32 %f<5>; .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [pa];  ld.param.u64 %rd2, [pb];  ld.param.u64 %rd3, [pc];
  ld.param.u32 %r1, [pm];
  ld.param.u32 %r2, [pn];
  ld.param.u32 %r3, [pk];
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r4, 64, %r5;
  mul.lo.s32 %r7, %r1, %r2;
  setp.ge.s32 %p1, %r6, %r7;
  @%p1 bra DONE;
  div.s32 %r8, %r6, %r2;
  rem.s32 %r9, %r6, %r2;
  mul.lo.s32 %r10, %r8, %r3;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r11, 0;
NEXT: setp.ge.s32 %p2, %r11, %r3;
  @%p2 bra STORE;
  add.s32 %r12, %r10, %r11;
  mad.lo.s32 %r13, %r11, %r2, %r9;
  mad.wide.s32 %rd4, %r12, 4, %rd1;
  mad.wide.s32 %rd5, %r13, 4, %rd2;
  ld.global.f32 %f2,
    [%rd4];
  ld.global.f32 %f3, [%rd5];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s32 %r11, %r11, 1;
  bra NEXT;
STORE:
  mad.wide.s32 %rd6, %r6, 4, %rd3;
  st.global.f32 [%rd6], %f1;
DONE: ret;
}
)";

std::string contract(const std::string& name, const std::string& further = "") {
  return "[[variant]]\nname = \"" + name +
         "\"\noperation = \"gemm\"\narguments = [\"a\", \"b\", \"c\", \"m\", \"n\", \"k\"]\n"
         "block = [64]\ngrid = [\"ceil_div(m * n, 64)\"]\n" +
         further;
}

class PtxTarget : public testing::Test {
 protected:
  /// Runs the tool without nvcc.
  [[nodiscard]] Result run(const std::vector<std::string>& arguments) const {
    return scratch_.run(arguments, {kNoNvcc});
  }

  /// Writes x.ptx with its contract, and returns its name.
  [[nodiscard]] std::string write(const std::string& ptx, const std::string& toml) const {
    scratch_.write("x.toml", toml);
    return scratch_.write("x.ptx", ptx);
  }

  Scratch scratch_;
};

TEST_F(PtxTarget, CorrectKernelPassesWithoutNvcc) {
  const Result result =
      run({"check", write(kProduct, contract("x")), "--device", "virtual", "--cases", "20"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("1 variant, 20 cases in "));
  EXPECT_EQ(result.error, "");
  const Result listed = run({"list", "x.ptx"});
  EXPECT_THAT(listed.out, HasSubstr("    product(a, b, c, m, n, k)\n"));
}

TEST_F(PtxTarget, FindingIsAtTheLineOfThePtxWithoutLoc) {
  const std::string file =
      write(replaced(kProduct, "setp.ge.s32 %p1", "setp.gt.s32 %p1"), contract("x"));
  const Result result = run({"check", file, "--device", "virtual", "--cases", "20", "--keep"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("error[out-of-bounds]: 4-byte load from byte 4 of A, which has 4 "
                              "bytes\n  --> x.ptx:28:3\n"),
                    HasSubstr("\n  >   28 |   ld.global.f32 %f2,\n"),
                    HasSubstr("added to regressions/x.cases: x m=1 n=1 k=1 ")));
  const Result replayed = run({"replay", "--device", "virtual", "x m=1 n=1 k=1"});
  EXPECT_EQ(replayed.status, 1) << replayed.error;
  EXPECT_THAT(replayed.out, HasSubstr("  --> x.ptx:28:3\n"));
}

TEST_F(PtxTarget, FindingIsAtTheLineThatLocNames) {
  scratch_.write("sub/product.py", "# a kernel\ndef product():\n  load(a)\n");
  std::string ptx = replaced(kProduct, "setp.ge.s32 %p1", "setp.gt.s32 %p1");
  ptx = replaced(ptx, "  ld.param.u64 %rd1", ".loc 1 2 0\n  ld.param.u64 %rd1");
  ptx = replaced(ptx, "  ld.global.f32 %f2", ".loc 1 3 3\n  ld.global.f32 %f2");
  scratch_.write("sub/x.toml", contract("x"));
  scratch_.write("sub/x.ptx", ptx + ".file 1 \"product.py\"\n");
  const Result result = run({"check", "sub", "--device", "virtual", "--cases", "20"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("  --> sub/product.py:3:3\n"), HasSubstr("  >    3 |   load(a)\n")));
}

TEST_F(PtxTarget, MissingElementIsAtTheFirstLineOfTheKernel) {
  const std::string file =
      write(replaced(kProduct, "  st.global.f32 [%rd6], %f1;\n", ""), contract("x"));
  const Result result = run({"check", file, "--device", "virtual", "--cases", "5"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("error[wrong-result]: "), HasSubstr("  --> x.ptx:7:3\n")));
}

TEST_F(PtxTarget, OtherCommandsTakeIt) {
  const std::string file = write(kProduct, contract("x"));
  scratch_.write("warpcheck.toml", "targets = [\"x.ptx\"]\ncases = 10\n");
  EXPECT_EQ(run({"gate"}).status, 0);
  const Result profile = run({"profile", file});
  EXPECT_EQ(profile.status, 0) << profile.error;
  EXPECT_THAT(profile.out, HasSubstr("ld.global.f32 %f3, [%rd5];"));
  const Result mutate = run({"mutate", file, "--cases", "20", "--mutants", "4"});
  EXPECT_EQ(mutate.status, 0) << mutate.error;
  EXPECT_THAT(mutate.out, HasSubstr("x: 4 of 39 mutants, 20 cases each"));
  const Result fuzz =
      run({"fuzz", file, "--device", "virtual", "--cases", "50", "--corpus", "corpus"});
  EXPECT_EQ(fuzz.status, 0) << fuzz.out << fuzz.error;
  const Result same = run({"diff", file, file, "--cases", "5"});
  EXPECT_EQ(same.status, 0) << same.error;
}

struct WrongPtx {
  const char* name;
  std::string ptx;
  std::string toml;
  const char* error;
};

class PtxMistake : public testing::TestWithParam<WrongPtx> {};

TEST_P(PtxMistake, IsReportedAtItsPlace) {
  const Scratch scratch;
  scratch.write("x.toml", GetParam().toml);
  scratch.write("x.ptx", GetParam().ptx);
  const Result result = scratch.run({"check", "x.ptx", "--device", "virtual"}, {kNoNvcc});
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.error, HasSubstr(GetParam().error));
}

const std::string kSecond = std::string(kProduct) + ".visible .entry other() { ret; }\n";

INSTANTIATE_TEST_SUITE_P(
    Each, PtxMistake,
    testing::Values(
        WrongPtx{"Flags", kProduct, contract("x", "flags = [\"-O1\"]\n"),
                 "x.toml:7:10: error: a flag of nvcc for x.ptx, which is already compiled"},
        WrongPtx{"Architecture", kProduct, contract("x", "arch = \"sm_90\"\n"),
                 "error: an architecture for x.ptx, which is already compiled"},
        WrongPtx{"Macro", kProduct, contract("x", "defines = { T = 8 }\n"),
                 "x.toml:7:13: error: a macro (`constants` has names for expressions) for x.ptx"},
        WrongPtx{"UnknownKernel", kProduct, contract("x", "kernel = \"produkt\"\n"),
                 "error: x.ptx has no kernel 'produkt': did you mean 'product'?"},
        WrongPtx{"SeveralKernels", kSecond, contract("x"),
                 "x.toml:1:1: error: x.ptx has several kernels: expected the key 'kernel', one of "
                 "product, other"},
        WrongPtx{"NoKernel", ".version 7.0\n.target sm_80\n.address_size 64\n", contract("x"),
                 "error: x.ptx has no kernel: expected an .entry"},
        WrongPtx{"Syntax", replaced(kProduct, "mov.u32 %r5, %tid.x;", "mov.u32 %r5 %tid.x;"),
                 contract("x"), "x.ptx:12:15: error: found '%tid', expected ',' or ';'"},
        WrongPtx{"Arguments", kProduct, replaced(contract("x"), ", \"k\"", ""),
                 "error: 5 arguments for kernel 'product', which takes 6"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(PtxOfNvcc, NamesTheLineOfTheCu) {
  const Scratch scratch;
  scratch.write("x.cu", kernel_without_bounds_check("x"));
  const Result compiled = scratch.shell("nvcc -ptx -lineinfo -arch=sm_80 x.cu -o made.ptx");
  if (compiled.status != 0) GTEST_SKIP() << "no nvcc on PATH";
  const std::string toml = R"toml([[variant]]
name = "made"
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k"]
block = [8, 8]
grid = ["ceil_div(n, 8)", "ceil_div(m, 8)"]
)toml";
  scratch.write("made.toml", toml);
  const Result cu_result = scratch.run({"check", "x.cu", "--device", "virtual", "--cases", "20"});
  const Result ptx_result =
      scratch.run({"check", "made.ptx", "--device", "virtual", "--cases", "20"});
  EXPECT_EQ(ptx_result.status, 1) << ptx_result.error;
  const std::string place = cu_result.out.substr(cu_result.out.find("  --> x.cu:"), 16);
  EXPECT_THAT(ptx_result.out, HasSubstr(place));
}

}  // namespace
}  // namespace warpcheck::tool

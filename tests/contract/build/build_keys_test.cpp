// The keys that concern the compilation: include, defines, flags, arch, constants, instances, fix.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/build/nvcc_flag.hpp"
#include "contract/contract.hpp"

namespace warpcheck::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A contract with further lines of its [[variant]].
std::string tiled(const std::string& further) {
  return R"t([[variant]]
name      = "tiled"
kernel    = "ns::tiled<BM, 8, sum_of<BM>>"
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k"]
block     = ["BM", 8]
grid      = ["ceil_div(n, 8)", "ceil_div(m, BM)"]
shared    = "4 * BM * 8"
)t" + further;
}

std::vector<Contract> contracts(const std::string& toml) {
  return parse_contracts(toml, {"/kernels/x.toml", 1, 1});
}

Contract single(const std::string& toml) {
  const std::vector<Contract> all = contracts(toml);
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

std::vector<std::string> names(const std::vector<Contract>& all) {
  std::vector<std::string> found;
  for (const Contract& contract : all) found.push_back(contract.name);
  return found;
}

std::string error_of(const std::string& toml) {
  try {
    (void)contracts(toml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BuildKeys, BecomeArgumentsOfNvcc) {
  const Contract contract = single(tiled(R"t(constants = { BM = 4 }
include   = ["include", "../common", "/opt/headers"]
defines   = { TILE = 16, ELEMENT = "unsigned char", USE_VECTORS = true, EMPTY = "", LOW = -1 }
flags     = ["--use_fast_math", "-std=c++20", "-maxrregcount", "64"]
arch      = "sm_90"
)t"));
  EXPECT_EQ(contract.architecture, "sm_90");
  EXPECT_THAT(nvcc_arguments(contract),
              ElementsAre("-I/kernels/include", "-I/common", "-I/opt/headers",
                          "-DELEMENT=unsigned char", "-DEMPTY=", "-DLOW=-1", "-DTILE=16",
                          "-DUSE_VECTORS", "--use_fast_math", "-std=c++20", "-maxrregcount", "64"));
}

TEST(BuildKeys, GroupsDoNotDependOnTheFolder) {
  const std::string text = tiled("constants = { BM = 4 }\ninclude = ['inc']\n");
  const Contract here = parse_contracts(text, {"/here/x.toml", 1, 1}).at(0);
  const Contract there = parse_contracts(text, {"/there/x.toml", 1, 1}).at(0);
  EXPECT_EQ(build_key(here), build_key(there));
  EXPECT_NE(nvcc_arguments(here), nvcc_arguments(there));
  const Contract other = single(tiled("defines = { BM = 4 }\ninclude = ['inc']\n"));
  EXPECT_NE(build_key(here), build_key(other));
}

TEST(BuildKeys, CanBeDefaults) {
  const auto all = contracts(R"t([defaults]
include = ["inc"]
defines = { TILE = 16 }
flags   = ["-G"]
arch    = "sm_90"
)t" + tiled("constants = { BM = 4 }\n") +
                             R"t([[variant]]
name      = "other"
kernel    = "f<TILE>"
operation = "gemm"
arguments = ["c"]
block     = [1]
grid      = [1]
defines   = { DEPTH = 2 }
flags     = []
arch      = "sm_80"
)t");
  EXPECT_THAT(nvcc_arguments(all.at(0)), ElementsAre("-I/kernels/inc", "-DTILE=16", "-G"));
  EXPECT_EQ(all[0].architecture, "sm_90");
  EXPECT_THAT(nvcc_arguments(all.at(1)), ElementsAre("-I/kernels/inc", "-DDEPTH=2"));
  EXPECT_EQ(all[1].launches[0].kernel, "f<TILE>");  // the macro is not defined
  EXPECT_EQ(all[1].architecture, "sm_80");
}

TEST(BuildKeys, ArchitectureMeansArch) {
  const std::string more = "constants = { BM = 4 }\n";
  EXPECT_EQ(single(tiled(more + "architecture = 'sm_89'\n")).architecture, "sm_89");
  EXPECT_EQ(single("[defaults]\narch = 'sm_90'\n" + tiled(more + "architecture = 'sm_89'\n"))
                .architecture,
            "sm_89");
  EXPECT_EQ(single("[defaults]\narchitecture = 'sm_90'\n" + tiled(more + "arch = 'sm_89'\n"))
                .architecture,
            "sm_89");
  EXPECT_THAT(error_of(tiled(more + "arch = 'sm_89'\narchitecture = 'sm_89'\n")),
              HasSubstr("x.toml:11:16: error: 'architecture' next to 'arch'"));
}

TEST(Constants, ReplaceNamesInKernelAndExpressions) {
  const Contract contract =
      single(tiled("constants = { BM = 64 }\nrequires = ['m % BM == 0 and n > BM', 'k > -BM']\n"));
  const LaunchStep& step = contract.launches.at(0);
  EXPECT_EQ(step.kernel, "ns::tiled<64, 8, sum_of<64>>");
  EXPECT_EQ(step.block[0].evaluate({}), 64);
  EXPECT_EQ(step.grid[1].text(), "ceil_div(m, 64)");
  EXPECT_EQ(step.shared.evaluate({}), 4 * 64 * 8);
  ASSERT_EQ(contract.requires_.size(), 3U);  // the conjuncts
  EXPECT_EQ(contract.requires_[0].text(), "m % 64 == 0");
  EXPECT_EQ(contract.requires_[1].text(), "n > 64");
  EXPECT_EQ(contract.requires_[1].where(), (Location{"/kernels/x.toml", 10, 30}));
  EXPECT_EQ(contract.requires_[2].text(), "k > -64");
}

TEST(Constants, CanBeNegativeTruthsAndTypes) {
  const Contract contract = single(R"t([[variant]]
name      = "x"
kernel    = "f<T, FLAG, DEEP>"
operation = "gemm"
arguments = ["c", "m - DEEP", "DEEP", "FLAG"]
block     = ["(2 - DEEP)"]
grid      = ["1 + FLAG"]
constants = { T = "ns::half2*", FLAG = true, DEEP = -3 }
)t");
  const LaunchStep& step = contract.launches.at(0);
  EXPECT_EQ(step.kernel, "f<ns::half2*, true, -3>");
  EXPECT_EQ(step.block[0].evaluate({}), 5);
  EXPECT_EQ(step.grid[0].evaluate({}), 2);
  EXPECT_EQ(step.arguments[1].word, ArgumentWord::expression);
  EXPECT_EQ(step.arguments[1].text, "m - (-3)");
  EXPECT_EQ(step.arguments[2].word, ArgumentWord::literal);
  EXPECT_EQ(step.arguments[2].text, "-3");
  EXPECT_EQ(step.arguments[3].text, "1");
}

TEST(Constants, MacrosThatAreIntegersAreConstants) {
  const Contract contract = single(tiled("defines = { BM = 32, LONG = '64' }\nsplit_k = 'BM'\n"));
  EXPECT_EQ(contract.launches[0].kernel, "ns::tiled<32, 8, sum_of<32>>");
  EXPECT_EQ(contract.split_k, 32);
  EXPECT_THAT(error_of(tiled("defines = { BM = '32' }\n")), HasSubstr("unknown name 'BM'"));
}

TEST(Constants, LimitsApplyToTheirValues) {
  EXPECT_THAT(error_of(tiled("constants = { BM = 2048 }\n")),
              HasSubstr("x.toml:6:14: error: block extent x is 2048: expected 1 to 1024"));
  EXPECT_THAT(error_of(tiled("constants = { BM = 512 }\n")),
              HasSubstr("x.toml:6:13: error: block of 4096 threads: expected at most 1024"));
}

constexpr const char* kInstances = R"t(requires = ["m % BM == 0"]
[[variant.instances]]
constants = { BM = 32 }
defines   = { DEPTH = 2, FAST = true }
[[variant.instances]]
constants = { BM = 16 }
defines   = { DEPTH = 3 }
[[variant.instances]]
name      = "big"
constants = { BM = 128 }
defines   = { DEPTH = 4 }
)t";

TEST(Instances, AreVariantsWithDerivedNames) {
  const auto all = contracts(tiled(kInstances));
  EXPECT_THAT(names(all), ElementsAre("tiled_BM32_DEPTH2_FAST", "tiled_BM16_DEPTH3", "big"));
  EXPECT_EQ(all[0].launches[0].kernel, "ns::tiled<32, 8, sum_of<32>>");
  EXPECT_THAT(nvcc_arguments(all[0]), ElementsAre("-DDEPTH=2", "-DFAST"));
  EXPECT_EQ(all[1].requires_.at(0).text(), "m % 16 == 0");
  EXPECT_THAT(nvcc_arguments(all[1]), ElementsAre("-DDEPTH=3"));
  EXPECT_EQ(all[2].instance_of, "tiled");
  EXPECT_EQ(all[2].where, (Location{"/kernels/x.toml", 16, 1}));
}

TEST(Instances, ReplaceValuesOfTheVariantByName) {
  const auto all = contracts(tiled(R"t(defines   = { BM = 8, DEPTH = 1 }
[[variant.instances]]
defines = { BM = 16 }
[[variant.instances]]
defines = { BM = 32 }
)t"));
  EXPECT_THAT(nvcc_arguments(all.at(0)), ElementsAre("-DBM=16", "-DDEPTH=1"));
  EXPECT_THAT(nvcc_arguments(all.at(1)), ElementsAre("-DBM=32", "-DDEPTH=1"));
  EXPECT_EQ(all[1].launches[0].block[0].evaluate({}), 32);
}

TEST(Instances, OfDefaultsApplyToEachVariant) {
  const auto all = contracts(R"t([defaults]
operation = "gemm"
arguments = ["c"]
block     = ["T", "T"]
grid      = ["ceil_div(m, T)"]
instances = [{ constants = { T = 8 } }, { constants = { T = 16 } }]
[[variant]]
name   = "one"
kernel = "one<T>"
[[variant]]
name   = "two"
kernel = "two<T>"
)t");
  EXPECT_THAT(names(all), ElementsAre("one_T8", "one_T16", "two_T8", "two_T16"));
}

TEST(Instances, NamesOfTypesBecomeWords) {
  const auto all = contracts(R"t([[variant]]
name      = "x"
kernel    = "f<T>"
operation = "gemm"
arguments = ["c"]
block     = [1]
grid      = [1]
[[variant.instances]]
constants = { T = "unsigned int" }
)t");
  EXPECT_THAT(names(all), ElementsAre("x_Tunsigned-int"));
}

TEST(Fix, StatesTheSizesOfTheDomain) {
  const auto all = contracts(tiled(R"t(constants = { BM = 4 }
fix       = { m = "2 * M", n = "N", k = 64 }
requires  = ["lda % 4 == 0"]
[[variant.instances]]
defines = { M = 512, N = 256 }
[[variant.instances]]
defines = { M = 96, N = 80 }
)t"));
  std::vector<std::string> domain;
  for (const Expression& one : all.at(1).requires_) domain.push_back(one.text());
  EXPECT_THAT(domain,
              testing::UnorderedElementsAre("m == 192", "n == 80", "k == 64", "lda % 4 == 0"));
  EXPECT_EQ(all[0].implied, 0U);
}

TEST(ArgumentExpressions, AreComputedForEachCase) {
  const Contract contract = single(R"t([[variant]]
name      = "x"
kernel    = "f"
operation = "gemm"
arguments = ["a", "b", "c", "m * k", "ceil_div(n, 4)", "lda * 4", "(8)", "m", "1 - ta"]
block     = [1]
grid      = [1]
)t");
  const auto& arguments = contract.launches[0].arguments;
  EXPECT_EQ(arguments.at(3).word, ArgumentWord::expression);
  EXPECT_EQ(arguments[3].text, "m * k");
  EXPECT_EQ(arguments[4].value.text(), "ceil_div(n, 4)");
  EXPECT_EQ(arguments.at(6).word, ArgumentWord::literal);
  EXPECT_EQ(arguments[6].text, "8");
  EXPECT_EQ(arguments[7].word, ArgumentWord::m);
  EXPECT_TRUE(contract.takes(ArgumentWord::lda));
  EXPECT_TRUE(contract.takes(ArgumentWord::ta));
  EXPECT_FALSE(contract.takes(ArgumentWord::ldb));
}

std::string launch(const std::string& kernel, const std::string& arguments,
                   const std::string& more) {
  return "[[variant.launch]]\nkernel = '" + kernel + "'\narguments = [" + arguments +
         "]\nblock = [1]\ngrid = [1]\n" + more;
}

constexpr const char* kSeveral = "[[variant]]\nname = 'x'\noperation = 'gemm'\n";

TEST(When, ImpliesThatALaunchWithTheOutputApplies) {
  const Contract contract =
      single(kSeveral + launch("prepare", "'a', 'workspace'", "when = 'k > 4'\n") +
             launch("fast", "'workspace', 'c'", "when = 'm % 4 == 0'\n") +
             launch("slow", "'workspace', 'c'", "when = 'm % 4 != 0'\n"));
  ASSERT_EQ(contract.launches.size(), 3U);
  EXPECT_EQ(contract.launches[1].when->text(), "m % 4 == 0");
  EXPECT_EQ(contract.implied, 1U);
  EXPECT_EQ(contract.requires_.back().text(), "(m % 4 == 0) or (m % 4 != 0)");
  EXPECT_EQ(contract.requires_.back().where(), (Location{"/kernels/x.toml", 15, 9}));
}

TEST(When, ImpliesNothingIfALaunchAlwaysApplies) {
  const Contract contract =
      single(kSeveral + launch("fast", "'c'", "when = 'm % 4 == 0'\n") + launch("rest", "'c'", ""));
  EXPECT_THAT(contract.requires_, IsEmpty());
  EXPECT_FALSE(contract.is_launched);
}

TEST(When, UsesConstants) {
  const Contract contract = single(
      "[[variant]]\nname = 'x'\noperation = 'gemm'\n"
      "constants = { LIMIT = 64 }\n" +
      launch("small", "'c'", "when = 'm < LIMIT'\n") +
      launch("large", "'c'", "when = 'm >= LIMIT'\n"));
  EXPECT_EQ(contract.launches[0].when->text(), "m < 64");
}

struct Flags {
  std::vector<std::string> flags;
  std::string error;  // expected for the last flag; empty: all are accepted
};

class NvccFlag : public testing::TestWithParam<Flags> {};

TEST_P(NvccFlag, IsAcceptedOrRefusedWithItsReason) {
  const auto& [flags, error] = GetParam();
  const auto found = flag_error(flags, flags.size() - 1);
  if (error.empty()) {
    EXPECT_EQ(found, std::nullopt);
  } else {
    EXPECT_THAT(found.value_or("no error"), HasSubstr(error));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, NvccFlag,
    testing::Values(
        Flags{{"-G"}, ""}, Flags{{"--use_fast_math"}, ""}, Flags{{"-use_fast_math"}, ""},
        Flags{{"-O1"}, ""}, Flags{{"-O", "1"}, ""}, Flags{{"--fmad=false"}, ""},
        Flags{{"-std=c++20"}, ""}, Flags{{"--std", "c++20"}, ""}, Flags{{"-UNDEBUG"}, ""},
        Flags{{"-Xptxas", "-O1"}, ""}, Flags{{"-lineinfo"}, ""}, Flags{{"-rdc=true"}, ""},
        Flags{{"-maxrregcount=64"}, ""}, Flags{{"--std"}, "without its value"},
        Flags{{"-o"}, "warpcheck chooses what nvcc writes"},
        Flags{{"--output-file=x"}, "warpcheck chooses what nvcc writes"},
        Flags{{"-ptx"}, "warpcheck chooses what nvcc writes"},
        Flags{{"-c"}, "warpcheck chooses what nvcc writes"},
        Flags{{"-MMD"}, "warpcheck chooses what nvcc writes"},
        Flags{{"-arch=sm_90"}, "write `arch = \"sm_90\"`"},
        Flags{{"--gpu-architecture=sm_90"}, "write `arch = \"sm_90\"`"},
        Flags{{"-gencode=arch=compute_80,code=sm_80"}, "write `arch = \"sm_90\"`"},
        Flags{{"-DTILE=8"}, "write `defines = { NAME = VALUE }`"},
        Flags{{"-D"}, "write `defines = { NAME = VALUE }`"},
        Flags{{"-Iinclude"}, "write `include = [\"FOLDER\"]`"},
        Flags{{"-isystem=x"}, "write `include = [\"FOLDER\"]`"},
        Flags{{"-ccbin=/tmp/cc"}, "runs no other programs"},
        Flags{{"-Xcompiler=-fplugin=x.so"}, "runs no other programs"},
        Flags{{"--run"}, "runs no other programs"}, Flags{{"-lcublas"}, "runs no other programs"},
        Flags{{"-optf=x"}, "write its options here"},
        Flags{{"--use_fast_maths"}, "did you mean '--use_fast_math'?"},
        Flags{{"--colour"}, "unknown flag '--colour': expected one of --std, "},
        Flags{{"x.cu"}, "'x.cu' is not a flag, which begins with '-'"}, Flags{{""}, "not a flag"},
        Flags{{"-"}, "not a flag"}, Flags{{"-G", "1"}, "'1' is not a flag"},
        Flags{{"-std c++20"}, "one string for each argument"},
        Flags{{"-G$(touch x)"}, "the character $ in a flag"},
        Flags{{"-std=`x`"}, "the character ` in a flag"},
        Flags{{"-G\n"}, "a control character in a flag"}));

}  // namespace
}  // namespace warpcheck::contract

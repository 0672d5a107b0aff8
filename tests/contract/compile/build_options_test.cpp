// Compiles contracts with include, defines, flags, arch, constants and instances.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/process/child_process.hpp"
#include "contract/compile/fingerprint.hpp"
#include "contract/compile/prebuilt.hpp"
#include "contract/compile/variant.hpp"
#include "tests/contract/nvcc_test.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class BuildOptionsTest : public NvccTest {
 protected:
  /// The variants of a .cu with a sidecar in the same folder.
  std::vector<Variant> variants(const std::string& source, const std::string& toml,
                                const std::string& name = "x") {
    const std::string file = write(name + ".cu", source);
    write(name + ".toml", toml);
    return variants_at(file);
  }

  std::string error_of(const std::string& source, const std::string& toml) {
    try {
      (void)variants(source, toml);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

constexpr const char* kStore = "__global__ void f(float* c) { *c = TILE; }\n";

/// True if the PTX stores a float.
bool stores(const Variant& variant, const char* bits) {
  return variant.compiled->ptx.find(bits) != std::string::npos;
}

constexpr const char* kThree = "1077936128";  // 0x40400000, as in "mov.b32 %r1, 1077936128"
constexpr const char* kFour = "1082130432";   // 0x40800000

TEST_F(BuildOptionsTest, EachSetOfMacrosIsCompiled) {
  const auto found =
      variants(kStore, variant_table("three", "f", "'c'", "defines = { TILE = 3 }\n") +
                           variant_table("four", "f", "'c'", "defines.TILE = 4\n") +
                           variant_table("again", "f", "'c'", "defines.TILE = 3\n"));
  EXPECT_TRUE(stores(found.at(0), kThree));
  EXPECT_TRUE(stores(found.at(1), kFour));
  EXPECT_EQ(found.at(2).compiled, found[0].compiled);
}

TEST_F(BuildOptionsTest, CacheDistinguishesMacrosFlagsAndFolders) {
  write("one/tile.cuh", "#define TILE 3\n");
  write("two/tile.cuh", "#define TILE 4\n");
  const std::string source = std::string("#include \"tile.cuh\"\n") + kStore;
  for (int round = 0; round < 2; ++round) {  // the second one reads the cache
    const auto found = variants(
        source, variant_table("one", "f", "'c'", "include = ['one']\n") +
                    variant_table("two", "f", "'c'", "include = ['two']\n") +
                    variant_table("debug", "f", "'c'", "include = ['two']\nflags = ['-G']\n"));
    EXPECT_TRUE(stores(found.at(0), kThree));
    EXPECT_TRUE(stores(found.at(1), kFour));
    EXPECT_THAT(found.at(1).compiled->ptx, Not(HasSubstr(", debug")));
    EXPECT_THAT(found.at(2).compiled->ptx, HasSubstr(", debug"));  // `.target sm_XX, debug`
  }
  write("one/tile.cuh", "#define TILE 4\n");
  const auto changed = variants(source, variant_table("one", "f", "'c'", "include = ['one']\n"));
  EXPECT_TRUE(stores(changed.at(0), kFour));
}

TEST_F(BuildOptionsTest, FoldersAreRelativeToTheContract) {
  write("include/tile.cuh", "#define TILE 3\n");
  write("deep/x.cu", "/* warpcheck\n" +
                         variant_table("x", "f", "'c'", "include = ['../include']\n") +
                         "*/\n#include <tile.cuh>\n" + kStore);
  const fs::path before = fs::current_path();
  fs::current_path("/");
  EXPECT_TRUE(stores(variants_at((folder() / "deep").string()).at(0), kThree));
  fs::current_path(before);
}

TEST_F(BuildOptionsTest, MissingFolderIsLocated) {
  EXPECT_THAT(error_of(kStore, variant_table("x", "f", "'c'", "include = ['.', 'inc']\n")),
              AllOf(HasSubstr("x.toml:8:17: error: 'inc' is not a folder: found none at "),
                    HasSubstr("\n  include = ['.', 'inc']\n                  ^\n")));
}

TEST_F(BuildOptionsTest, MacroThatTheSourceDefinesAgainIsAnError) {
  const std::string source = std::string("#define TILE 8\n") + kStore;
  const std::string toml = variant_table("x", "f", "'c'", "defines = { TILE = 4 }\n");
  for (int round = 0; round < 2; ++round) {  // the result is not cached
    EXPECT_THAT(error_of(source, toml),
                HasSubstr("x.toml:8:13: error: the source defines 'TILE' with another value: "
                          "enclose its #define in #ifndef TILE\n"));
  }
  EXPECT_EQ(error_of(source, variant_table("x", "f", "'c'", "defines = { TILE = 8 }\n")),
            "no error");
  const std::string guarded = "#ifndef TILE\n#define TILE 8\n#endif\n" + std::string(kStore);
  EXPECT_TRUE(stores(variants(guarded, toml).at(0), kFour));
}

TEST_F(BuildOptionsTest, MacroOfAnInstanceMustOccur) {
  const std::string toml = variant_table("x", "f", "'c'") +
                           "[[variant.instances]]\ndefines = { TIEL = 4 }\n"
                           "[[variant.instances]]\ndefines = { TIEL = 8 }\n";
  const std::string guarded = "#ifndef TILE\n#define TILE 8\n#endif\n" + std::string(kStore);
  EXPECT_THAT(error_of(guarded, toml),
              HasSubstr("x.toml:9:13: error: macro 'TIEL' of an instance occurs in no file of the "
                        "compilation: did you mean 'TILE'?"));
  // The name in the contract itself does not count.
  const std::string file = write("y.cu", "/* warpcheck\n" + toml + "*/\n" + guarded);
  EXPECT_THROW((void)variants_at(file), InputError);
}

TEST_F(BuildOptionsTest, InstancesSelectTemplateNumbersAndMacros) {
  const auto found =
      variants("template <int T> __global__ void f(float* c) { *c = T + DEPTH; }\n",
               variant_table("x", "f<T>", "'c'") +
                   "[[variant.instances]]\nconstants = { T = 1 }\ndefines = { DEPTH = 2 }\n"
                   "[[variant.instances]]\nconstants = { T = 3 }\ndefines = { DEPTH = 1 }\n");
  EXPECT_EQ(found.at(0).contract.name, "x_T1_DEPTH2");
  EXPECT_EQ(found.at(0).entries.at(0).name, "_Z1fILi1EEvPf");
  EXPECT_TRUE(stores(found[0], kThree));
  EXPECT_EQ(found.at(1).entries.at(0).name, "_Z1fILi3EEvPf");
  EXPECT_TRUE(stores(found[1], kFour));
}

TEST_F(BuildOptionsTest, UnknownValueOfAFlagIsTheErrorOfNvcc) {
  EXPECT_THAT(error_of(kStore, variant_table("x", "f", "'c'", "flags = ['-std=c++99']\n")),
              HasSubstr("'c++99'"));
}

TEST_F(BuildOptionsTest, HostCodeWithAMissingHeaderKeepsTheOptions) {
  write("inc/tile.cuh", "#define SIZE TILE\n");
  const auto found = variants(
      "#include <torch/extension.h>\n#include \"tile.cuh\"\n"
      "__global__ void f(float* c) { *c = SIZE; }\n"
      "torch::Tensor host(torch::Tensor t) { return t; }\n",
      variant_table("x", "f", "'c'", "include = ['inc']\ndefines = { TILE = 3 }\n"));
  EXPECT_TRUE(stores(found.at(0), kThree));
}

TEST_F(BuildOptionsTest, FingerprintDependsOnEachOption) {
  const std::string source = "__global__ void f(float* c) { *c = 1; }\n";
  write("inc/unused.cuh", "");
  std::vector<std::string> prints;
  for (const char* more : {"", "defines = { UNUSED = 1 }\n", "defines = { UNUSED = 2 }\n",
                           "include = ['inc']\n", "flags = ['--fmad=false']\n"}) {
    prints.push_back(fingerprint(variants(source, variant_table("x", "f", "'c'", more)).at(0)));
  }
  for (std::size_t i = 0; i < prints.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(prints[i], prints[j]) << i << " " << j;
  }
}

TEST_F(BuildOptionsTest, ExpressionsMustFitTheirParameters) {
  const auto found =
      variants("__global__ void f(float* c, int mk, long far, bool odd, int rest) { *c = mk; }\n",
               variant_table("x", "f", "'c', 'm * k', 'm * n * k', 'm % 2', 'm - n / k'") +
                   variant_table("y", "f", "'c', 'm', 'n / k', '1', 'n'"));
  std::vector<std::string> implied;
  for (const Expression& one : found.at(0).contract.requires_) implied.push_back(one.text());
  EXPECT_THAT(implied, testing::ElementsAre("m * k <= 2147483647", "m % 2 <= 1",
                                            "m - n / k <= 2147483647", "m - n / k >= -2147483648"));
  EXPECT_EQ(found[0].contract.implied, 4U);
  ASSERT_EQ(found.at(1).contract.requires_.size(), 1U);  // n / k has no value for k = 0
  EXPECT_EQ(found[1].contract.requires_[0].text(), "n / k <= 9223372036854775807");
}

TEST_F(BuildOptionsTest, ExpressionForAFloatLimitsNoSize) {
  const auto found = variants("__global__ void f(float* c, float x) { *c = x; }\n",
                              variant_table("x", "f", "'c', 'm * k'"));
  EXPECT_EQ(found.at(0).contract.implied, 0U);
}

TEST_F(BuildOptionsTest, PrebuiltVariantsKeepTheirBuild) {
  write("from/inc/tile.cuh", "#define TILE (DEPTH + 1)\n");
  const std::string file = write("from/x.cu", "#include \"tile.cuh\"\n" + std::string(kStore));
  write("from/x.toml", variant_table("x", "f", "'c'", "include = ['inc']\n") +
                           "[[variant.instances]]\ndefines = { DEPTH = 2 }\n"
                           "[[variant.instances]]\ndefines = { DEPTH = 3 }\n");
  const ChildResult result =
      run_child({WARPCHECK_BINARY_DIR "/bin/warpcheck-compile-kernel", file,
                 (folder() / "built").string(), (folder() / "rule.d").string()});
  ASSERT_EQ(result.output, "");
  fs::remove_all(folder() / "from");
  const auto found = read_prebuilt(folder() / "built");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].contract.name, "x_DEPTH2");
  EXPECT_TRUE(stores(found[0], kThree));
  EXPECT_EQ(found[1].contract.name, "x_DEPTH3");
  EXPECT_TRUE(stores(found[1], kFour));
}

}  // namespace
}  // namespace warpcheck::contract

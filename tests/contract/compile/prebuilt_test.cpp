#include "contract/compile/prebuilt.hpp"

#include <gmock/gmock.h>

#include "base/process/child_process.hpp"
#include "ptx/parser.hpp"
#include "tests/contract/nvcc_test.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Prebuilt : public NvccTest {
 protected:
  /// Runs the program that the build uses.
  ChildResult compile(const std::string& source) {
    return run_child({WARPCHECK_BINARY_DIR "/bin/warpcheck-compile-kernel", source,
                      (folder() / "built").string(), (folder() / "rule.d").string()});
  }
};

TEST_F(Prebuilt, VariantsAreReadWithoutTheirSources) {
  const std::string file = write("from/x.cu", "__global__ void f(float* c) { *c = 1; }");
  write("from/x.toml", variant_table("b", "f", "'c'") +
                           variant_table("a", "f", "'c'", "architecture = 'sm_90'\n"));
  const std::string embedded =
      write("from/y.cu", "/* warpcheck\n" + variant_table("c", "g<2>", "'c'") +
                             "*/\ntemplate <int T> __global__ void g(float* c) { *c = T; }\n");
  EXPECT_EQ(compile(file).output, "");
  EXPECT_EQ(compile(embedded).output, "");
  const auto direct = variants_at((folder() / "from").string());
  fs::remove_all(folder() / "from");
  fs::rename(folder() / "built", folder() / "moved");

  const auto found = read_prebuilt(folder() / "moved");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].contract.name, "a");  // ordered by name, not as in the contract
  for (const Variant& variant : found) {
    const Variant& same = *std::find_if(direct.begin(), direct.end(), [&](const Variant& other) {
      return other.contract.name == variant.contract.name;
    });
    ASSERT_EQ(variant.entries.size(), 1U);
    EXPECT_EQ(variant.entries[0].name, same.entries.at(0).name);
    EXPECT_EQ(variant.entries[0].parameters.size(), same.entries.at(0).parameters.size());
    EXPECT_EQ(variant.compiled->ptx, same.compiled->ptx);
    EXPECT_EQ(variant.compiled->source, same.compiled->source);
    EXPECT_EQ(variant.compiled->source_file, same.compiled->source_file);
    EXPECT_EQ(variant.contract.where, same.contract.where);
    EXPECT_EQ(read_input(variant.compiled->ptx_file), variant.compiled->ptx);
  }
}

TEST_F(Prebuilt, RelativePathsAreRelativeToTheManifest) {
  const std::string file = write("x.cu", "__global__ void f(float* c) { *c = 1; }");
  write("x.toml", variant_table("x", "f", "'c'"));
  ASSERT_EQ(compile(file).output, "");
  for (const char* const name : {"built/x.manifest", "built/x.ptx"}) {
    std::string text = read_input(folder() / name);
    const std::string absolute = folder().string() + "/";
    for (auto at = text.find(absolute); at != std::string::npos; at = text.find(absolute)) {
      text.erase(at, absolute.size());
    }
    write_file(folder() / name, text);
  }
  fs::remove(file);
  fs::rename(folder() / "built", folder() / "installed");

  const auto found = read_prebuilt(folder() / "installed");
  ASSERT_EQ(found.size(), 1U);
  const std::string there = (folder() / "installed/x.cu").string();
  EXPECT_EQ(found[0].compiled->source_file, there);
  EXPECT_EQ(found[0].contract.where.file, (folder() / "installed/x.toml").string());
  EXPECT_THAT(found[0].compiled->ptx, HasSubstr("\t.file\t1 \"" + there + "\""));
}

TEST_F(Prebuilt, FolderOfAnInstallationMayHaveAnyName) {
  const std::string file = write("x.cu", "__global__ void f(float* c) { *c = 1; }");
  write("x.toml", variant_table("x", "f", "'c'"));
  ASSERT_EQ(compile(file).output, "");
  std::string text = read_input(folder() / "built/x.ptx");
  const std::string absolute = folder().string() + "/";
  text.erase(text.find(absolute), absolute.size());
  write_file(folder() / "built/x.ptx", text);
  const fs::path there = folder() / "Zoë \"x\"";
  fs::rename(folder() / "built", there);
  const auto found = read_prebuilt(there);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(ptx::parse(found[0].compiled->ptx, "x.ptx").file(1), (there / "x.cu").string());
}

TEST_F(Prebuilt, RuleNamesEveryFileThatWasRead) {
  const std::string header = write("a tile.cuh", "#define TILE 3\n");
  const std::string file =
      write("x.cu", "#include \"a tile.cuh\"\n__global__ void f(float* c) { *c = TILE; }");
  write("x.toml", variant_table("x", "f", "'c'"));
  ASSERT_EQ(compile(file).status, 0);
  const std::string at = folder().string();
  EXPECT_EQ(read_input(folder() / "rule.d"), at + "/built/x.manifest: \\\n  " + at +
                                                 "/a\\ tile.cuh \\\n  " + at + "/x.cu \\\n  " + at +
                                                 "/x.toml\n");
}

TEST_F(Prebuilt, ErrorsEndTheBuild) {
  const std::string file = write("x.cu", "__global__ void f(float* c) {}");
  write("x.toml", variant_table("x", "g", "'c'"));
  const ChildResult result = compile(file);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.output, HasSubstr("x.toml:3:11: error: kernel 'g' is not in x.cu"));
  EXPECT_FALSE(fs::exists(folder() / "built/x.manifest"));
}

TEST_F(Prebuilt, DamagedManifestIsAnErrorWithAPlace) {
  write("built/x.manifest", "source = \n");
  try {
    (void)read_prebuilt(folder() / "built");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("built/x.manifest:1:10: error: not TOML"));
  }
  write("built/x.manifest", "source = '/x.cu'\n");
  EXPECT_THROW((void)read_prebuilt(folder() / "built"), InputError);
}

TEST_F(Prebuilt, OnlyAcceptedVariantsAreRead) {
  const std::string one = write("one.cu", "__global__ void f(float* c) { *c = 1; }");
  const std::string two = write("two.cu", "__global__ void f(float* c) { *c = 2; }");
  write("one.toml", variant_table("b", "f", "'c'") + variant_table("a", "f", "'c'"));
  write("two.toml", variant_table("c", "f", "'c'"));
  ASSERT_EQ(compile(one).output + compile(two).output, "");
  fs::remove(folder() / "built/two.ptx");
  const auto found =
      read_prebuilt(folder() / "built", [](const std::string& name) { return name == "b"; });
  EXPECT_THAT(found.names, testing::ElementsAre("a", "b", "c"));
  ASSERT_EQ(found.variants.size(), 1U);
  EXPECT_EQ(found.variants.front().contract.name, "b");
  EXPECT_THROW((void)read_prebuilt(folder() / "built"), InputError);
}

/// The built-in variants are those of all kernels below kernels/gemm and kernels/operations.
TEST_F(Prebuilt, BuiltInVariantsAreThoseOfTheBuild) {
  std::size_t sources = 0;
  for (const char* const folder : {"gemm", "operations"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(WARPCHECK_SOURCE_DIR "/kernels/" + std::string(folder))) {
      if (entry.path().extension() == ".cu") ++sources;
    }
  }
  const auto variants = builtin_variants();
  EXPECT_GE(variants.size(), sources);
  EXPECT_TRUE(std::is_sorted(
      variants.begin(), variants.end(),
      [](const Variant& x, const Variant& y) { return x.contract.name < y.contract.name; }));
  EXPECT_EQ(std::adjacent_find(variants.begin(), variants.end(),
                               [](const Variant& x, const Variant& y) {
                                 return x.contract.name == y.contract.name;
                               }),
            variants.end());
  for (const Variant& variant : variants) {
    ASSERT_EQ(variant.entries.size(), variant.contract.launches.size());
    for (std::size_t i = 0; i < variant.entries.size(); ++i) {
      const Entry& entry = variant.entries[i];
      EXPECT_EQ(entry.parameters.size(), variant.contract.launches[i].arguments.size());
      EXPECT_THAT(variant.compiled->ptx, HasSubstr(".entry " + entry.name + "("));
    }
    EXPECT_EQ(variant.compiled->source, read_file(variant.compiled->source_file));
  }
}

}  // namespace
}  // namespace warpcheck::contract

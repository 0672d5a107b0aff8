// The machine supports every instruction that nvcc generates for CUDA's intrinsics.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "device/virtual/isa/decode.hpp"
#include "ptx/parser.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = WARPCHECK_SOURCE_DIR "/tests/device/virtual/";

void expect_known(const fs::path& path) {
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto program = decode(ptx::parse(text, path.filename().string()));
  ASSERT_FALSE(program->functions.empty()) << path;
  for (const machine::FunctionCode& function : program->functions) {
    for (const machine::Op& op : function.ops) {
      EXPECT_FALSE(is_unsupported(op)) << path << ": " << op.detail->message;
    }
  }
}

TEST(Compiled, IntrinsicsAreSupported) {
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(kFolder) / "isa/compiled")) {
    if (entry.path().extension() != ".ptx") continue;
    expect_known(entry.path());
    ++files;
  }
  EXPECT_EQ(files, 9U);
}

TEST(Compiled, TileOfTwoWarpsAddsItsElements) {
  std::ifstream stream(fs::path(kFolder) / "isa/compiled/groups.sm_80.ptx");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::uint32_t> in(128);
  std::iota(in.begin(), in.end(), 1U);
  const test::Result result =
      test::run_module(text, test::bytes_of(in), 4 * in.size(), {.block = {128, 1, 1}});
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 64U * 65 / 2);
  EXPECT_EQ(result.at<std::uint32_t>(127), 128U * 129 / 2 - 64U * 65 / 2);
}

TEST(Compiled, ProgramsWithoutClustersAreSupported) {
  for (const std::string name :
       {"calls.sm_80", "calls.sm_90", "inlined.sm_80", "print_and_assert.sm_80", "switches.sm_80",
        "switches.sm_90", "tensor_cores.sm_80", "variables.sm_80", "vectors.sm_80", "vectors.sm_90",
        "warps.sm_80"}) {
    expect_known(fs::path(WARPCHECK_SOURCE_DIR "/tests/ptx/recorded") / (name + ".ptx"));
  }
}

}  // namespace
}  // namespace warpcheck::isa

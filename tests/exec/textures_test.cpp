// The virtual device samples textures as an H200 does: tests/golden/textures/record.cu, run under
// `warpcheck exec`, prints what the GPU printed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "contract/compile/nvcc.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

/// Lines without the comment at the top: "configuration = words".
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

/// Configurations whose results differ in some words; docs/exec.md lists the reasons.
bool is_approximate(std::string_view line) {
  const std::string_view name = line.substr(0, line.find(" ="));
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  const bool filters = has(" linear ") || name.ends_with(" linear");
  return (filters && (has(" range ") || has(" special ") || has(" s8x"))) || has("srgb") ||
         has("cube") || has("tex.grad") || has("bias 0.75") || has("tld4.a.2d.v4.f32.f32 s8x4") ||
         (has("tex.level.3d") && has("linear wrap normalized linear")) ||
         has("tex.1d.v4.f32.s32 f32x1");
}

TEST(Textures, ReproduceTheResultsOfAGpu) {
  Scratch scratch;
  std::string nvcc;
  try {
    nvcc = contract::find_nvcc().string();
  } catch (const EnvironmentError& error) {
    GTEST_SKIP() << error.what();
  }
  const Result compiled =
      scratch.shell(fmt::format("'{}' -std=c++20 -cudart shared -arch=sm_90 -o record "
                                "'{}/tests/golden/textures/record.cu'",
                                nvcc, WARPCHECK_SOURCE_DIR));
  ASSERT_EQ(compiled.status, 0) << compiled.error;
  const Result run = scratch.run({"exec", "./record"});
  ASSERT_EQ(run.status, 0) << run.error;
  const auto found = lines_of(run.out);
  const auto expected =
      lines_of(read_input(WARPCHECK_SOURCE_DIR "/tests/golden/sm_90/textures.txt"));
  ASSERT_EQ(found.size(), expected.size());
  std::size_t exact = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (is_approximate(expected[i])) continue;
    EXPECT_EQ(found[i], expected[i]);
    ++exact;
  }
  EXPECT_GT(exact, 330U);
}

}  // namespace
}  // namespace warpcheck::tool

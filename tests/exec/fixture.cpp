#include "tests/exec/fixture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "contract/compile/nvcc.hpp"

namespace warpcheck::tool {

std::string source_of(const std::string& program) {
  return fmt::format("{}/tests/exec/programs/{}.cu", WARPCHECK_SOURCE_DIR, program);
}

std::size_t line_of_finding(const std::string& program) {
  const std::string text = read_input(source_of(program));
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(text.find("// finding here"));
  return static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
}

void Exec::SetUp() {
  try {
    nvcc_ = contract::find_nvcc().string();
  } catch (const EnvironmentError& error) {
    GTEST_SKIP() << error.what();
  }
}

Result Exec::run_nvcc(const std::string& program, const std::string& options,
                      const std::string& architecture) const {
  // -arch=sm_90a would compile for compute_90, too.
  const std::string code =
      fmt::format("-gencode 'arch=compute_{0},code=[sm_{0},compute_{0}]'", architecture.substr(3));
  return scratch.shell(fmt::format("'{}' {} -lineinfo -g -o program '{}' {}", nvcc_, code,
                                   source_of(program), options));
}

void Exec::compile(const std::string& program, const std::string& options,
                   const std::string& architecture) const {
  const Result result = run_nvcc(program, options, architecture);
  ASSERT_EQ(result.status, 0) << result.out << result.error;
}

bool Exec::can_compile(const std::string& program, const std::string& options) const {
  return run_nvcc(program, options, "sm_80").status == 0;
}

}  // namespace warpcheck::tool

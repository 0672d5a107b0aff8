// Programs under `warpcheck exec`.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {

/// The line of a program of tests/exec/programs with the comment "finding here".
[[nodiscard]] std::size_t line_of_finding(const std::string& program);

/// Skips the test if there is no nvcc.
class Exec : public testing::Test {
 protected:
  void SetUp() override;

  /// Compiles a program of tests/exec/programs to ./program.
  void compile(const std::string& program, const std::string& options = "-cudart shared") const;

  Scratch scratch;

 private:
  std::string nvcc_;
};

}  // namespace warpcheck::tool

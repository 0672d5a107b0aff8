// Programs of tests/exec/programs, compiled with nvcc and run by `warpcheck exec`.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {

[[nodiscard]] std::string source_of(const std::string& program);

/// The line of the source with the comment "finding here".
[[nodiscard]] std::size_t line_of_finding(const std::string& program);

/// A text without the line breaks of the console.
[[nodiscard]] std::string in_one_line(std::string text);

class Exec : public testing::Test {
 protected:
  void SetUp() override;

  /// Compiles a program of tests/exec/programs to ./program, or copies it if an earlier test has
  /// compiled the same sources with the same options.
  void compile(const std::string& program, const std::string& options = "-cudart shared",
               const std::string& architecture = "sm_80") const;
  /// The same; false if nvcc fails.
  [[nodiscard]] bool can_compile(const std::string& program, const std::string& options) const;

  Scratch scratch;

 private:
  /// The file of the compiled program, whose name depends on all that the program depends on.
  [[nodiscard]] std::filesystem::path compiled(const std::string& program,
                                               const std::string& command) const;
  [[nodiscard]] std::string command_of(const std::string& program, const std::string& options,
                                       const std::string& architecture) const;

  std::string nvcc_;
};

}  // namespace warpcheck::tool

#include "cli/options/shell.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace warpcheck::cli {
namespace {

/// The argument that a real shell passes for a word.
std::string shell_output(const std::string& word) {
  FILE* pipe = popen(("printf %s " + word).c_str(), "r");
  std::string text;
  std::array<char, 256> buffer{};
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  EXPECT_EQ(pclose(pipe), 0);
  return text;
}

TEST(ShellWord, PlainWordsAreUnchanged) {
  EXPECT_EQ(shell_word("kernels/specimens"), "kernels/specimens");
}

TEST(ShellWord, ShellReturnsTheOriginalText) {
  for (const std::string text : {"a b", "it's", "$HOME", "a;b", "\"", "\\", "*", "tab\there"}) {
    EXPECT_EQ(shell_output(shell_word(text)), text);
  }
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace warpcheck::cli

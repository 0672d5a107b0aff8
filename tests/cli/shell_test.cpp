#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "base/text/shell_word.hpp"
#include "base/text/visible_text.hpp"

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

/// bash reads $'...'; dash before POSIX.1-2024 does not.
TEST(ShellWord, ControlCharactersAreEscapedForBash) {
  for (const std::string text : {"e\x1b[31m.cu", "n\nl", "lat\xe9.cu", "it's\x1b", "\x1b\\n",
                                 "\x1b"
                                 "7",
                                 "a\xc2\x9b"
                                 "b",
                                 "\u202e"}) {
    const std::string word = shell_word(text);
    EXPECT_EQ(visible(word), word);
    EXPECT_EQ(shell_output("x; exec bash -c " + shell_word("printf %s " + word)), "x" + text);
  }
}

}  // namespace
}  // namespace warpcheck::cli

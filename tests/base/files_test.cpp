#include "base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "base/closest_word.hpp"
#include "base/content_hash.hpp"
#include "base/process/child_process.hpp"
#include "base/process/temporary_folder.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

TEST(Files, ReadReturnsTheWrittenText) {
  const TemporaryFolder folder;
  const std::string text("a\0b\r\n\xff", 6);
  write_file(folder.path() / "deep/er/file", text);
  EXPECT_EQ(read_file(folder.path() / "deep/er/file"), text);
  write_file(folder.path() / "empty", "");
  EXPECT_EQ(read_file(folder.path() / "empty"), "");
}

TEST(Files, MissingFilesAndFoldersCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.path() / "absent"), std::nullopt);
  EXPECT_EQ(read_file(folder.path()), std::nullopt);
  EXPECT_THROW((void)read_input(folder.path()), InputError);
}

TEST(Files, WritingToAnImpossiblePathIsAnEnvironmentError) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  EXPECT_THROW(write_file(folder.path() / "file" / "below", "text"), EnvironmentError);
}

/// Readers see one text or the other, never a part.
TEST(Files, ConcurrentWritersLeaveACompleteFile) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  const std::array<std::string, 2> texts = {std::string(1 << 16, 'a'), std::string(1 << 15, 'b')};
  write_file(file, texts[0]);
  const auto write = [&](const std::string& text) {
    for (int i = 0; i < 200; ++i) write_file(file, text);
  };
  std::thread first(write, texts[0]);
  std::thread second(write, texts[1]);
  int torn = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string text = read_input(file);
    if (text != texts[0] && text != texts[1]) ++torn;
  }
  first.join();
  second.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}),
            1);  // no temporary file is left
}

TEST(ChildProcess, OutputAndStatusAreReturned) {
  const ChildResult result = run_child({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "out\nerr\n");
}

TEST(ChildProcess, ArgumentsAreNotReadByAShell) {
  EXPECT_EQ(run_child({"printf", "%s|", "a b", "$HOME", "*", ";"}).output, "a b|$HOME|*|;|");
}

TEST(ChildProcess, SignalIsAStatusAbove128) {
  EXPECT_EQ(run_child({"/bin/sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST(ChildProcess, MoreOutputThanAPipeHoldsIsRead) {
  EXPECT_EQ(run_child({"head", "-c", "1000000", "/dev/zero"}).output.size(), 1000000U);
}

TEST(ChildProcess, InputIsEmpty) { EXPECT_EQ(run_child({"cat"}).output, ""); }

TEST(ChildProcess, MissingProgramIsAnEnvironmentError) {
  EXPECT_THROW((void)run_child({"/nonexistent/nvcc"}), EnvironmentError);
}

std::string hash_of(std::initializer_list<std::string_view> texts) {
  ContentHash hash;
  for (const std::string_view text : texts) hash.add(text);
  return hash.digits();
}

// Computed independently, from the published offset basis 0x6c62272e07bb014262b821756295c58d and
// prime 2^88 + 0x13b, over the texts and their lengths as 8 bytes, little endian.
TEST(ContentHash, IsFnv1aOver128Bits) {
  EXPECT_EQ(hash_of({}), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(hash_of({"a"}), "19c3dbf8e5061a5c61631051cd9ca0c5");
  EXPECT_EQ(hash_of({"foobar", ""}), "5f5d413283508f9c39e317554ba44f9e");
}

TEST(ContentHash, DependsOnTheBoundariesOfTexts) {
  EXPECT_NE(hash_of({"ab", "c"}), hash_of({"a", "bc"}));
  EXPECT_NE(hash_of({"a"}), hash_of({"a", ""}));
}

TEST(Nearest, MistypedWordsFindTheIntendedWord) {
  constexpr std::array<std::string_view, 4> kWords = {"block", "grid", "requires", "lda"};
  EXPECT_EQ(nearest("blok", kWords), "block");
  EXPECT_EQ(nearest("gird", kWords), "grid");
  EXPECT_EQ(nearest("require", kWords), "requires");
  EXPECT_EQ(nearest("ld", kWords), "lda");
  EXPECT_EQ(nearest("zebra", kWords), std::nullopt);
  EXPECT_EQ(nearest("", kWords), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'x'), kWords), std::nullopt);
}

}  // namespace
}  // namespace warpcheck

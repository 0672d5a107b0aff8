#include "base/checked_file.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

TEST(CheckedFile, ReadReturnsTheWrittenText) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "deep/entry.ptx";
  for (const std::string& text : {std::string(), std::string("no line feed"),
                                  std::string(".version 8.0\n"), std::string("a\0b\n\n", 5)}) {
    write_checked(file, text);
    EXPECT_EQ(read_checked(file), text);
  }
}

TEST(CheckedFile, ChecksumIsACommentOfPtx) {
  const TemporaryFolder folder;
  write_checked(folder.path() / "x.ptx", ".version 8.0\n");
  const std::string written = read_input(folder.path() / "x.ptx");
  EXPECT_TRUE(written.starts_with(".version 8.0\n\n// warpcheck checksum ")) << written;
}

TEST(CheckedFile, EveryChangedByteIsDetected) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "entry";
  write_checked(file, "mov.u32 %r1, 0;\n");
  const std::string whole = read_input(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write_file(file, damaged);
    EXPECT_EQ(read_checked(file), std::nullopt) << i;
  }
}

TEST(CheckedFile, EveryTruncationAndAdditionIsDetected) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "entry";
  write_checked(file, "mov.u32 %r1, 0;\n");
  const std::string whole = read_input(file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(file, whole.substr(0, length));
    EXPECT_EQ(read_checked(file), std::nullopt) << length;
  }
  write_file(file, whole + "\n");
  EXPECT_EQ(read_checked(file), std::nullopt);
}

TEST(CheckedFile, FileOfAnotherNameIsNotAccepted) {
  const TemporaryFolder folder;
  write_checked(folder.path() / "one", "text");
  fs::copy_file(folder.path() / "one", folder.path() / "two");
  EXPECT_EQ(read_checked(folder.path() / "two"), std::nullopt);
  EXPECT_EQ(read_checked(folder.path() / "absent"), std::nullopt);
  EXPECT_EQ(read_checked(folder.path()), std::nullopt);
}

}  // namespace
}  // namespace warpcheck

// Parses every bad/bad-*.ptx, each with errors of one kind, and compares the messages with its
// *.expected. WARPCHECK_UPDATE_GOLDEN=1 rewrites these files; review the diff.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

TEST(BadPtx, IsRejectedWithEveryErrorLocated) {
  for (const std::filesystem::path& file : files_in("bad", ".ptx")) {
    std::string messages;
    try {
      static_cast<void>(parse(read(file), file.filename().string()));
    } catch (const InputError& error) {
      messages = error.what();
    }
    std::filesystem::path expected = file;
    expected.replace_extension(".expected");
    if (std::getenv("WARPCHECK_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(expected, std::ios::binary) << messages;
    }
    EXPECT_EQ(messages, read(expected)) << file;
    EXPECT_FALSE(messages.empty()) << file;
  }
}

}  // namespace
}  // namespace warpcheck::ptx

// bad/bad-*.ptx: one text each with mistakes of a kind, and beside it what is said about them.
// WARPCHECK_UPDATE_GOLDEN=1 writes the expectations anew; review them as a diff.
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
    std::string said;
    try {
      static_cast<void>(parse(read(file), file.filename().string()));
    } catch (const InputError& error) {
      said = error.what();
    }
    std::filesystem::path expected = file;
    expected.replace_extension(".expected");
    if (std::getenv("WARPCHECK_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(expected, std::ios::binary) << said;
    }
    EXPECT_EQ(said, read(expected)) << file;
    EXPECT_FALSE(said.empty()) << file;
  }
}

}  // namespace
}  // namespace warpcheck::ptx

#include <gmock/gmock.h>

#include <string>

#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"

namespace warpcheck {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// ASCII text with two or four bytes for each character.
std::string widened(const std::string& text, std::size_t bytes, bool big_endian) {
  std::string wide;
  for (const char c : text) {
    std::string unit(bytes, '\0');
    unit[big_endian ? bytes - 1 : 0] = c;
    wide += unit;
  }
  return wide;
}

std::string error_of(const std::string& text) {
  try {
    (void)utf8_input("x.cu", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Utf8Input, RemovesTheByteOrderMark) {
  EXPECT_EQ(utf8_input("x.cu", "\xef\xbb\xbfint x;"), "int x;");
  EXPECT_EQ(utf8_input("x.cu", "int \xef\xbb\xbfx;"), "int \xef\xbb\xbfx;");
}

TEST(Utf8Input, RefusesWiderEncodingsWithTheReason) {
  const std::string text = "__global__ void f() {}\n";
  using namespace std::string_literals;
  EXPECT_THAT(error_of("\xff\xfe" + widened(text, 2, false)),
              AllOf(StartsWith("x.cu: error: found a text in UTF-16, little endian"),
                    HasSubstr("iconv -f UTF-16 -t UTF-8")));
  EXPECT_THAT(error_of("\xfe\xff" + widened(text, 2, true)), HasSubstr("UTF-16, big endian"));
  EXPECT_THAT(error_of("\xff\xfe\0\0"s + widened(text, 4, false)), HasSubstr("UTF-32, little"));
  EXPECT_THAT(error_of("\0\0\xfe\xff"s + widened(text, 4, true)), HasSubstr("UTF-32, big"));
  EXPECT_THAT(error_of(widened(text, 2, false)), HasSubstr("UTF-16, little endian"));
  EXPECT_THAT(error_of(widened(text, 2, true)), HasSubstr("UTF-16, big endian"));
}

TEST(Utf8Input, AcceptsEverythingElse) {
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("a\0", 2), std::string("Zo\xc3\xab"),
        std::string("lat\xe9"), std::string(300, 'x') + '\0'}) {
    EXPECT_EQ(error_of(text), "") << text.size();
  }
}

TEST(Utf8Input, MissingFileIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW((void)read_utf8(folder.path() / "absent"), InputError);
}

}  // namespace
}  // namespace warpcheck

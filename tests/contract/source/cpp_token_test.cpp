#include "contract/source/cpp_token.hpp"

#include <gmock/gmock.h>

#include <string>

namespace warpcheck::contract {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> result;
  for (const CppToken& token : cpp_tokens(source)) result.emplace_back(token.text);
  return result;
}

TEST(CppTokens, SkipCommentsAndJoinDirectives) {
  EXPECT_THAT(texts("int a; // k<<<1>>>\n/* b */ #\n"), ElementsAre("int", "a", ";", "#"));
  EXPECT_THAT(texts("#define N \\\n 8 // x\nint"), ElementsAre("#define N \\\n 8 // x", "int"));
}

TEST(CppTokens, KeepStringsWhole) {
  EXPECT_THAT(texts(R"--(f("a\"<<<", 'x', R"t(")")t"))--"),
              ElementsAre("f", "(", R"("a\"<<<")", ",", "'x'", ",", R"--(R"t(")")t")--", ")"));
}

TEST(CppTokens, FindLaunchesNextToTemplatesAndShifts) {
  EXPECT_THAT(texts("k<8><<<a>>1, b>>>(v<w<x<y>>>())"),
              ElementsAre("k", "<", "8", ">", "<<<", "a", ">", ">", "1", ",", "b", ">>>", "(", "v",
                          "<", "w", "<", "x", "<", "y", ">", ">", ">", "(", ")", ")"));
}

TEST(CppTokens, SkipTextBelowIfZero) {
  EXPECT_THAT(texts("#if 0\nx\n#if A\ny\n#endif\n#else\nz\n#endif\n"),
              ElementsAre("#if 0", "#else", "z", "#endif"));
}

TEST(CppTokens, CountLines) {
  const auto tokens = cpp_tokens("a\n\n/*\n*/ b\n");
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[1].line, 4U);
}

TEST(CppTokens, ExistForUnterminatedText) {
  for (const char* text :
       {"\"abc", "/* abc", "R\"x(abc", "'", "#", "#if 0\nabc", "0x", "k<<<", "\\"}) {
    EXPECT_LE(cpp_tokens(text).size(), 3U) << text;
  }
}

TEST(CppTokens, SplitAtCommasOutsideBrackets) {
  const auto tokens = cpp_tokens("f(a, b), v<c, d>, e < g, {h, i}");
  std::vector<std::size_t> sizes;
  for (const auto part : split_at_commas(tokens)) sizes.push_back(part.size());
  EXPECT_THAT(sizes, ElementsAre(6, 6, 3, 5));
}

}  // namespace
}  // namespace warpcheck::contract

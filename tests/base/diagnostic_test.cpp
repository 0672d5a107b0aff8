#include "base/diagnostic.hpp"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

std::string rendered(const std::string& file, unsigned line, unsigned column,
                     const std::string& message, const std::string& excerpt,
                     bool verbatim = false) {
  Diagnostic diagnostic;
  diagnostic.where.file = file;
  diagnostic.where.line = line;
  diagnostic.where.column = column;
  diagnostic.message = message;
  diagnostic.excerpt = excerpt;
  diagnostic.verbatim = verbatim;
  return render(diagnostic);
}

TEST(Diagnostic, ShowsPlaceMessageExcerptAndCaret) {
  EXPECT_EQ(rendered("x.toml", 3, 5, "unknown key 'blok'", "  a blok = 1"),
            "x.toml:3:5: error: unknown key 'blok'\n"
            "    a blok = 1\n"
            "      ^\n");
}

TEST(Diagnostic, WithoutColumnHasNoCaret) {
  EXPECT_EQ(rendered("x.toml", 3, 0, "wrong", "text"), "x.toml:3: error: wrong\n  text\n");
}

TEST(Diagnostic, WithoutLineNamesTheFile) {
  EXPECT_EQ(rendered("x.cu", 0, 0, "no contract", ""), "x.cu: error: no contract\n");
}

TEST(Diagnostic, WithoutFileIsTheMessage) {
  EXPECT_EQ(rendered("", 0, 0, "wrong", ""), "error: wrong\n");
}

TEST(Diagnostic, TabsBeforeTheCaretStayTabs) {
  EXPECT_EQ(rendered("x", 1, 4, "wrong", "\ta\tb"), "x:1:4: error: wrong\n  \ta\tb\n  \t \t^\n");
}

TEST(Diagnostic, CaretCanBePastTheEndOfTheLine) {
  EXPECT_EQ(rendered("x", 1, 4, "it ends", "ab"), "x:1:4: error: it ends\n  ab\n     ^\n");
}

TEST(Diagnostic, VerbatimTextIsPrintedUnchanged) {
  EXPECT_EQ(rendered("x.cu", 0, 0, "x.cu(3): error: expected a \";\"\n\n", "", true),
            "x.cu(3): error: expected a \";\"\n\n");
  EXPECT_EQ(rendered("x.cu", 0, 0, "nvcc fatal", "", true), "nvcc fatal\n");
}

TEST(Diagnostic, ControlCharactersAreEscaped) {
  EXPECT_EQ(rendered("e\x1b[2J.toml", 3, 5, "unknown key '\x1b[31m'", "  a \x1b[31m"),
            "e\\x1b[2J.toml:3:5: error: unknown key '\\x1b[31m'\n    a ?[31m\n      ^\n");
  EXPECT_EQ(rendered("", 0, 0, "e\x1b.cu(3): error\nlat\xe9.cu", "", true),
            "e\\x1b.cu(3): error\nlat\\xe9.cu\n");
}

/// A name with a line feed must not forge a message or a command of a CI system ("::error::").
TEST(Diagnostic, LaterLinesOfAMessageAreIndented) {
  EXPECT_EQ(rendered("a\n::error::.cu", 0, 0, "found 'x\n::error::'", ""),
            "a\\n::error::.cu: error: found 'x\n  ::error::'\n");
}

TEST(LineOf, CountsFromOneAndDropsLineEndings) {
  constexpr std::string_view kText = "one\r\ntwo\n\nfour";
  EXPECT_EQ(line_of(kText, 1), "one");
  EXPECT_EQ(line_of(kText, 2), "two");
  EXPECT_EQ(line_of(kText, 3), "");
  EXPECT_EQ(line_of(kText, 4), "four");
  EXPECT_EQ(line_of(kText, 5), "");
  EXPECT_EQ(line_of("", 1), "");
}

TEST(InputError, RendersAllDiagnosticsInOrder) {
  const InputError error({{{"x", 2, 1}, "first", ""}, {{"x", 9, 1}, "second", ""}});
  EXPECT_STREQ(error.what(), "x:2:1: error: first\nx:9:1: error: second\n");
  EXPECT_EQ(error.diagnostics().size(), 2U);
}

}  // namespace
}  // namespace warpcheck

#include "workflows/targets/case_lines.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"

namespace warpcheck::workflows::targets {
namespace {

class CaseLines : public testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& text) const {
    const std::string file = (folder_.path() / "mine.cases").string();
    write_file(file, text);
    return file;
  }

  TemporaryFolder folder_;
};

/// The places of the errors that reading causes, as "LINE LINE".
std::string error_lines(const std::string& line_or_file) {
  std::string lines;
  try {
    (void)read_cases(line_or_file);
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      lines += (lines.empty() ? "" : " ") + std::to_string(diagnostic.where.line);
    }
  }
  return lines;
}

TEST_F(CaseLines, OneLineIsACase) {
  const std::vector<LocatedCase> cases = read_cases("mine m=3 n=5 k=7");
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases.front().problem.variant, "mine");
  EXPECT_EQ(cases.front().problem.whole("n"), 5);
  EXPECT_EQ(cases.front().where, (Location{"case", 1, 1}));
}

TEST_F(CaseLines, FileSkipsCommentsAndEmptyLines) {
  const std::string file = write("# race at mine.cu:3\nmine m=3\n\nmine m=4\n");
  const std::vector<LocatedCase> cases = read_cases(file);
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].where, (Location{file, 2, 1}));
  EXPECT_EQ(cases[1].where, (Location{file, 4, 1}));
  EXPECT_EQ(cases[1].text, "mine m=4");
}

TEST_F(CaseLines, ErrorsOfAllLinesAreReported) {
  EXPECT_EQ(error_lines(write("mine m=x\nmine m=4\nmine q=4\n")), "1 3");
}

TEST_F(CaseLines, FileWithoutACaseIsAnErrorUnlessItMayBeEmpty) {
  const std::string file = write("# nothing\n");
  EXPECT_EQ(error_lines(file), "0");
  EXPECT_TRUE(read_case_file(file).empty());
  EXPECT_TRUE(read_case_file((folder_.path() / "absent.cases").string()).empty());
}

TEST_F(CaseLines, FieldThatNoArgumentTakesIsLocated) {
  const std::string text = "mine m=3 lda=9";
  contract::Contract contract;
  contract.operation = campaign::kDefaultOperation;
  const LocatedCase located = {campaign::parse_case(text), {"mine.cases", 4, 1}, text};
  try {
    require_no_ignored_field(contract, located);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().front().where, (Location{"mine.cases", 4, 10}));
  }
}

}  // namespace
}  // namespace warpcheck::workflows::targets

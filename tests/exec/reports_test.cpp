// Every report of a program has the verdict of the exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/exec/fixture.hpp"
#include "tests/tool/harness/consumers.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ExecReports : public Exec {
 protected:
  /// Runs ./program with all reports, which the programs that read them must accept.
  int run_with_reports(std::vector<std::string> options = {}) {
    std::vector<std::string> words = {"exec",    "--json",     "r.json",   "--junit",  "r.xml",
                                      "--sarif", "r.sarif",    "--gitlab", "r.gitlab", "--html",
                                      "r.html",  "--markdown", "r.md"};
    scratch.write("r.md", "");
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("./program");
    const int status = scratch.run(words).status;
    Consumers consumers(scratch);
    EXPECT_TRUE(consumers.accepts_junit("r.xml")) << consumers.errors();
    EXPECT_TRUE(consumers.accepts_sarif("r.sarif")) << consumers.errors();
    EXPECT_TRUE(consumers.accepts_events("r.json")) << consumers.errors();
    EXPECT_EQ(scratch.shell("python3 -m json.tool r.gitlab").status, 0);
    return status;
  }
};

TEST_F(ExecReports, PassIsGreenInEach) {
  compile("vector_add");
  EXPECT_EQ(run_with_reports(), 0);
  EXPECT_THAT(scratch.read("r.xml"),
              AllOf(HasSubstr("name=\"add(float const*, float const*, float*, int)\""),
                    HasSubstr("failures=\"0\" errors=\"0\""), Not(HasSubstr("<skipped"))));
  EXPECT_THAT(scratch.read("r.sarif"),
              AllOf(HasSubstr("\"results\": []"), HasSubstr("\"executionSuccessful\": true")));
  EXPECT_EQ(scratch.read("r.gitlab"), "[]\n");
  EXPECT_THAT(scratch.read("r.md"), HasSubstr("## warpcheck exec: passed\n"));
  EXPECT_THAT(scratch.read("r.html"), HasSubstr("The program has no finding"));
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"event\":\"summary\",\"verdict\":\"passed\""));
}

TEST_F(ExecReports, FindingIsRedInEachWithTheCallsOfTheHost) {
  compile("vector_add", "-cudart shared -DDEFECT");
  EXPECT_EQ(run_with_reports(), 1);
  EXPECT_THAT(scratch.read("r.xml"), AllOf(HasSubstr("<failure type=\"out-of-bounds\""),
                                           HasSubstr("launched by main at ")));
  EXPECT_THAT(scratch.read("r.sarif"),
              AllOf(HasSubstr("\"ruleId\": \"out-of-bounds\""), HasSubstr("\"launched by main\"")));
  EXPECT_THAT(scratch.read("r.gitlab"),
              AllOf(HasSubstr("\"severity\": \"critical\""), HasSubstr("launched by: main at")));
  EXPECT_THAT(scratch.read("r.md"),
              AllOf(HasSubstr("## warpcheck exec: not passed\n"), Not(HasSubstr("replay"))));
  EXPECT_THAT(scratch.read("r.html"), AllOf(HasSubstr("The program is wrong"),
                                            HasSubstr("launched by"), Not(HasSubstr("Replay"))));
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"event\":\"summary\",\"verdict\":\"failed\""));
}

TEST_F(ExecReports, UnsupportedFunctionIsNoPassInAny) {
  compile("unfreed");
  EXPECT_EQ(run_with_reports(), 3);
  EXPECT_THAT(scratch.read("r.xml"), HasSubstr("<error type=\"unsupported\""));
  EXPECT_THAT(scratch.read("r.sarif"), HasSubstr("\"executionSuccessful\": false"));
  EXPECT_THAT(scratch.read("r.gitlab"), HasSubstr("\"severity\": \"major\""));
  EXPECT_THAT(scratch.read("r.md"), HasSubstr("## warpcheck exec: not passed\n"));
  EXPECT_THAT(scratch.read("r.html"), HasSubstr("cannot execute all of the program"));
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"verdict\":\"undecided\""));
}

TEST_F(ExecReports, StatusOfTheProgramIsRedInEach) {
  compile("vector_add", "-cudart shared -DDEFECT");
  EXPECT_EQ(run_with_reports({"--kernel", "none"}), 7);
  EXPECT_THAT(scratch.read("r.xml"), HasSubstr("<failure type=\"exit-status\""));
  EXPECT_THAT(scratch.read("r.sarif"), HasSubstr("the program exited with status 7"));
  EXPECT_THAT(scratch.read("r.gitlab"), HasSubstr("the program exited with status 7"));
  EXPECT_THAT(scratch.read("r.md"), HasSubstr("the program exited with status 7"));
  EXPECT_THAT(scratch.read("r.html"), HasSubstr("the program exited with status 7"));
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"verdict\":\"failed\""));
}

TEST_F(ExecReports, SuppressedFindingIsKnownInEach) {
  compile("vector_add", "-cudart shared -DDEFECT");
  EXPECT_EQ(scratch.run({"exec", "--save", "known.toml", "./program"}).status, 1);
  scratch.write("more.toml",
                scratch.read("known.toml") + "[[suppression]]\nclass = 'leak'\nreason = 'r'\n");
  EXPECT_EQ(run_with_reports({"--suppressions", "more.toml"}), 0);
  EXPECT_THAT(scratch.read("r.xml"),
              AllOf(HasSubstr("<skipped message=\"known: "), Not(HasSubstr("\"out-of-bounds\""))));
  EXPECT_THAT(scratch.read("r.sarif"), HasSubstr("\"justification\""));
  EXPECT_THAT(scratch.read("r.gitlab"), HasSubstr("\"severity\": \"info\""));
  EXPECT_THAT(scratch.read("r.json"), HasSubstr("\"known\":1"));
  const Result again = scratch.run({"exec", "--suppressions", "more.toml", "./program"});
  EXPECT_THAT(again.error, AllOf(HasSubstr(": 0 findings, 1 known"), Not(HasSubstr("error[")),
                                 HasSubstr("more.toml:7: note: no finding matches")));
}

}  // namespace
}  // namespace warpcheck::tool

// The reports that other programs read, each handed to one that does.
#include <gmock/gmock.h>

#include <string>

#include "tests/tool/consumers.hpp"
#include "tests/tool/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

TEST(Reports, JunitsSchemaRefusesWhatJenkinsWouldNotRead) {
  const Scratch scratch;
  const std::string file = scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  const Result result =
      scratch.run({"check", file, "--cases", "20", "--device", "virtual", "--junit", "report.xml"});
  EXPECT_EQ(result.status, 1) << result.error;
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.take_junit("report.xml")) << consumers.complaints();
  scratch.write("wrong.xml",
                replaced(scratch.read("report.xml"), "</failure>", "<line/></failure>"));
  const bool taken = consumers.take_junit("wrong.xml");
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  EXPECT_FALSE(taken);
}

TEST(Reports, SarifsSchemaRefusesWhatCodeScanningWouldNotRead) {
  const Scratch scratch;
  const std::string file = scratch.write("tail.cu", kernel_that_drops_the_last_term("tail"));
  const Result result = scratch.run(
      {"check", file, "--cases", "20", "--device", "virtual", "--sarif", "report.sarif"});
  EXPECT_EQ(result.status, 1) << result.error;
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.take_sarif("report.sarif")) << consumers.complaints();
  scratch.write("wrong.sarif",
                replaced(scratch.read("report.sarif"), "\"startLine\": ", "\"startLine\": -"));
  const bool taken = consumers.take_sarif("wrong.sarif");
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  EXPECT_FALSE(taken);
}

TEST(Reports, NotesAreEventsToo) {
  const Scratch scratch;
  // Who writes the same value beside another races benignly; who reads it does not.
  scratch.write("racy.cu", replaced(kernel_that_races("racy"), "= threadIdx.y", "= 1"));
  const Result result = scratch.run(
      {"check", "racy.cu", "--cases", "20", "--device", "virtual", "--json", "report.json"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(scratch.read("report.json"), HasSubstr(R"({"event":"note",)"));
  EXPECT_EQ(complaints_about_events(scratch, "report.json"), "");
}

TEST(Reports, SchemaOfEventsRefusesWrongOnes) {
  const Scratch scratch;
  const std::string right =
      R"({"event":"summary","variants":1,"failed":0,"mistrusted":0,"cases":9,"seconds":0.5})";
  const auto taken = [&scratch](const std::string& event) {
    scratch.write("events.json", event + "\n");
    Consumers consumers(scratch);
    return consumers.take_events("events.json");
  };
  EXPECT_TRUE(taken(right));
  const bool another = taken(replaced(right, "summary", "sumary"));
  Consumers consumers(scratch);
  (void)consumers.take_events("events.json");
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  EXPECT_FALSE(another);
  EXPECT_FALSE(taken(replaced(right, "failed", "faild")));
  EXPECT_FALSE(taken(replaced(right, R"("cases":9,)", "")));
  EXPECT_FALSE(taken(replaced(right, R"("cases":9)", R"("cases":"9")")));
  EXPECT_FALSE(taken(replaced(right, "}", R"(,"unchecked":["racing"]})")));
  EXPECT_FALSE(taken(right + "\n" + replaced(right, "}", R"(,"more":1})")));
}

TEST(Reports, FilesThatCannotBeWrittenAreErrorsBeforeAnythingIsRun) {
  const Scratch scratch;
  const Result result =
      scratch.run({"check", "sgemm_naive", "--device", "virtual", "--junit", "no/such/folder.xml"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("no/such/folder.xml: error: cannot be written: "));
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace warpcheck::tool

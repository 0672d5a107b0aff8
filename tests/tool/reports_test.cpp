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

#include "report/junit/junit.hpp"

#include <gmock/gmock.h>

#include <map>
#include <pugixml.hpp>
#include <string>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using testing::HasSubstr;

pugi::xml_document written_xml(const ReportContext& context) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_string(junit(context).c_str());
  EXPECT_TRUE(parsed) << parsed.description();
  return document;
}

pugi::xml_node test_of(const pugi::xml_document& document, const std::string& variant,
                       const std::string& property = "matches-reference") {
  return document.child("testsuites")
      .child("testsuite")
      .find_child_by_attribute("name", (variant + ": " + property).c_str());
}

TEST(Junit, HasOneTestCasePerPropertyAndCountsEachResult) {
  const pugi::xml_document document = written_xml(small_campaign());
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("tests").value(), "7");
  EXPECT_STREQ(suite.attribute("failures").value(), "2");
  EXPECT_STREQ(suite.attribute("errors").value(), "0");
  EXPECT_STREQ(suite.attribute("skipped").value(), "2");
  EXPECT_STREQ(suite.attribute("time").value(), "12.420");
  const pugi::xml_node passed = test_of(document, "sgemm_naive");
  EXPECT_STREQ(passed.attribute("classname").value(), "warpcheck.virtual");
  EXPECT_STREQ(passed.attribute("time").value(), "0.250");
  EXPECT_THAT(passed.attribute("file").value(), testing::EndsWith("sgemm_naive.cu"));
  EXPECT_FALSE(passed.attribute("line"));
  EXPECT_FALSE(passed.child("failure"));
}

TEST(Junit, TellsPropertiesThatFailFromThoseThatPassOrDidNotRun) {
  const pugi::xml_document document = written_xml(small_campaign());
  const pugi::xml_node failed = test_of(document, "sgemm_float4");
  EXPECT_TRUE(failed.child("failure"));
  EXPECT_THAT(failed.attribute("file").value(), testing::EndsWith("kernels/sgemm_float4.cu"));
  EXPECT_STREQ(failed.attribute("line").value(), "12");
  const pugi::xml_node passed = test_of(document, "sgemm_float4", "permuting-rows-permutes-rows");
  EXPECT_FALSE(passed.child("failure"));
  EXPECT_FALSE(passed.child("skipped"));
  EXPECT_STREQ(passed.child("system-out").child_value(), "checked on 1 case\n");
  EXPECT_STREQ(test_of(document, "sgemm_naive", "power-of-two-scaling-is-exact")
                   .child("skipped")
                   .attribute("message")
                   .value(),
               "not checked on any case");
}

TEST(Junit, FindingOfAnotherPropertyFailsThatPropertyOnly) {
  ReportContext context = small_campaign();
  context.totals.variants[1].findings.front().property = "permuting-rows-permutes-rows";
  const pugi::xml_document document = written_xml(context);
  EXPECT_FALSE(test_of(document, "sgemm_float4").child("failure"));
  EXPECT_TRUE(test_of(document, "sgemm_float4", "permuting-rows-permutes-rows").child("failure"));
}

TEST(Junit, VariantWithoutRecordedPropertiesIsOneTestCase) {
  ReportContext context = small_campaign();
  context.totals.variants[1].properties.clear();
  const pugi::xml_document document = written_xml(context);
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("tests").value(), "5");
  EXPECT_TRUE(suite.find_child_by_attribute("name", "sgemm_float4").child("failure"));
}

TEST(Junit, SuiteHasTheStartOfTheCampaign) {
  ReportContext context = small_campaign();
  context.run = {.version = "1.2.3", .command = "warpcheck check", .seed = 7, .docs = "/docs"};
  context.totals.stopped = 2;
  const pugi::xml_document document = written_xml(context);
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_THAT(suite.attribute("timestamp").value(),
              testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}"));
  std::map<std::string, std::string> properties;
  for (const pugi::xml_node property : suite.child("properties")) {
    properties[property.attribute("name").value()] = property.attribute("value").value();
  }
  const std::map<std::string, std::string> expected = {{"version", "1.2.3"},
                                                       {"command", "warpcheck check"},
                                                       {"seed", "7"},
                                                       {"informationUri", "file:///docs/README.md"},
                                                       {"helpUri", "file:///docs/checks.md"},
                                                       {"stopped", "2"}};
  EXPECT_EQ(properties, expected);
}

TEST(Junit, RemarksNameTheStoppedCases) {
  ReportContext context = small_campaign();
  context.totals.variants[0].stopped = 1;
  const pugi::xml_document document = written_xml(context);
  EXPECT_THAT(test_of(document, "sgemm_naive").child("system-out").child_value(),
              HasSubstr("100 cases, 1 case stopped by the time limit"));
}

TEST(Junit, FailureHasClassPlaceCaseAndReplayCommand) {
  const pugi::xml_document document = written_xml(small_campaign());
  const pugi::xml_node failure = test_of(document, "sgemm_float4").child("failure");
  EXPECT_STREQ(failure.attribute("type").value(), "misaligned");
  EXPECT_STREQ(failure.attribute("message").value(),
               "kernels/sgemm_float4.cu:12: misaligned: load of 16 bytes at byte 20 of A, expected "
               "a multiple of 16");
  EXPECT_THAT(failure.child_value(), HasSubstr("sgemm_float4 m=2 n=1 k=5 "));
  EXPECT_THAT(failure.child_value(), HasSubstr("  replay     replay sgemm_float4\n"));
}

TEST(Junit, CountsAndListsOtherFindings) {
  ReportContext context = small_campaign();
  context.totals.variants[1].findings.push_back(wrong_result());
  const pugi::xml_document document = written_xml(context);
  const pugi::xml_node failure = test_of(document, "sgemm_float4").child("failure");
  EXPECT_THAT(failure.attribute("message").value(), HasSubstr("; and 1 other finding"));
  EXPECT_THAT(failure.child_value(), HasSubstr("error[wrong-result]: "));
}

TEST(Junit, MistrustedVariantIsAFailure) {
  const pugi::xml_document document = written_xml(small_campaign());
  EXPECT_STREQ(test_of(document, "sgemm_blind").child("failure").attribute("type").value(),
               "mistrusted");
}

TEST(Junit, UnsupportedVariantIsAnError) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(unsupported_variant());
  const pugi::xml_document document = written_xml(context);
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("errors").value(), "1");
  EXPECT_STREQ(suite.attribute("failures").value(), "0");
  EXPECT_STREQ(suite.attribute("skipped").value(), "0");
  EXPECT_FALSE(test_of(document, "hgemm_wgmma", "permuting-rows-permutes-rows").child("error"));
  const pugi::xml_node error = test_of(document, "hgemm_wgmma").child("error");
  EXPECT_STREQ(error.attribute("type").value(), "unsupported");
  EXPECT_STREQ(error.attribute("message").value(),
               "unsupported on the virtual device: wgmma.fence.sync.aligned (PTX ISA 9.7.15) at "
               "kernels/hgemm_wgmma.cu:31");
  EXPECT_THAT(error.child_value(), HasSubstr("replay hgemm_wgmma"));
}

TEST(Junit, FailureHasTheUnexecutedLines) {
  ReportContext context = small_campaign();
  context.totals.add(variant_with_unexecuted_lines());
  const pugi::xml_document document = written_xml(context);
  EXPECT_STREQ(
      test_of(document, "sgemm_tail").child("failure").attribute("message").value(),
      "mistrusted: 99 cases passed, but lines 41-44, 52 of kernels/sgemm_tail.cu, line 7 of "
      "kernels/tile.cuh were never executed");
  EXPECT_THAT(test_of(document, "sgemm_tail").child("system-out").child_value(),
              HasSubstr("99 cases and 2 empty, "));
}

TEST(Junit, VariantWithoutCasesIsSkipped) {
  ReportContext context = small_campaign();
  context.totals.variants[0].cases = 0;
  context.totals.variants[0].properties = {{"matches-reference"}};
  const pugi::xml_document document = written_xml(context);
  EXPECT_TRUE(test_of(document, "sgemm_naive").child("skipped"));
  EXPECT_STREQ(document.child("testsuites").child("testsuite").attribute("skipped").value(), "2");
}

TEST(Junit, VariantWithOnlyKnownFindingsIsSkipped) {
  ReportContext context = small_campaign();
  context.totals.variants[1].findings.front().known = "misaligned until 2027-01-31: issue 12";
  const pugi::xml_document document = written_xml(context);
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("failures").value(), "1");
  EXPECT_STREQ(suite.attribute("skipped").value(), "3");
  const pugi::xml_node known = test_of(document, "sgemm_float4");
  EXPECT_FALSE(known.child("failure"));
  EXPECT_STREQ(known.child("skipped").attribute("message").value(),
               "known: misaligned until 2027-01-31: issue 12");

  context.totals.variants[1].findings.push_back(wrong_result());
  const pugi::xml_document both = written_xml(context);
  EXPECT_STREQ(test_of(both, "sgemm_float4").child("failure").attribute("type").value(),
               "wrong-result");
}

TEST(Junit, OmitsSharesOfASearch) {
  ReportContext context = small_campaign();
  context.totals.variants.push_back(searched_variant());
  const pugi::xml_document document = written_xml(context);
  EXPECT_STREQ(test_of(document, "sgemm_searched").child("system-out").child_value(),
               "checked on 600 cases\nthe variant: 600 cases\n");
  EXPECT_STREQ(test_of(document, "sgemm_float4").child("system-out").child_value(),
               "checked on 7 cases\nthe variant: 7 cases, sensitivity 99 %, level coverage 90 %, "
               "pair coverage 75 %\n");
}

TEST(Junit, WritesNotesOfAVariantThatPasses) {
  ReportContext context = small_campaign();
  context.totals.variants[0].notes.push_back(benign_race());
  const pugi::xml_document document = written_xml(context);
  EXPECT_THAT(test_of(document, "sgemm_naive").child("system-out").child_value(),
              HasSubstr("note: sgemm_float4: benign race at kernels/sgemm_float4.cu:9"));
}

TEST(Junit, IsValidXmlForAnyBytesOfAMessage) {
  ReportContext context = small_campaign();
  campaign::FindingReport& finding = context.totals.variants[1].findings.front();
  finding.finding.message = "<![CDATA[ \" & \x01 \x1b[2J ]]> \xff";
  const pugi::xml_document document = written_xml(context);
  EXPECT_THAT(test_of(document, "sgemm_float4").child("failure").attribute("message").value(),
              HasSubstr("<![CDATA[ \" & ? ?[2J ]]> \xef\xbf\xbd"));
}

}  // namespace
}  // namespace warpcheck::report

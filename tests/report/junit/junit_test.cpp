#include "report/junit/junit.hpp"

#include <gmock/gmock.h>

#include <pugixml.hpp>

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

pugi::xml_node test_of(const pugi::xml_document& document, const char* variant) {
  return document.child("testsuites").child("testsuite").find_child_by_attribute("name", variant);
}

TEST(Junit, HasOneTestCasePerVariantAndCountsFailures) {
  const pugi::xml_document document = written_xml(small_campaign());
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("tests").value(), "3");
  EXPECT_STREQ(suite.attribute("failures").value(), "2");
  EXPECT_STREQ(suite.attribute("time").value(), "12.420");
  const pugi::xml_node passed = test_of(document, "sgemm_naive");
  EXPECT_STREQ(passed.attribute("classname").value(), "warpcheck.virtual");
  EXPECT_STREQ(passed.attribute("time").value(), "0.420");
  EXPECT_FALSE(passed.child("failure"));
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
  const pugi::xml_document document = written_xml(context);
  EXPECT_TRUE(test_of(document, "sgemm_naive").child("skipped"));
  EXPECT_STREQ(document.child("testsuites").child("testsuite").attribute("skipped").value(), "1");
}

TEST(Junit, VariantWithOnlyKnownFindingsIsSkipped) {
  ReportContext context = small_campaign();
  context.totals.variants[1].findings.front().known = "misaligned until 2027-01-31: issue 12";
  const pugi::xml_document document = written_xml(context);
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("failures").value(), "1");
  EXPECT_STREQ(suite.attribute("skipped").value(), "1");
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
               "600 cases\n");
  EXPECT_STREQ(test_of(document, "sgemm_float4").child("system-out").child_value(),
               "7 cases, sensitivity 99 %, level coverage 90 %, pair coverage 75 %\n");
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
  properties::campaign::FindingReport& finding = context.totals.variants[1].findings.front();
  finding.finding.message = "<![CDATA[ \" & \x01 \x1b[2J ]]> \xff";
  const pugi::xml_document document = written_xml(context);
  EXPECT_THAT(test_of(document, "sgemm_float4").child("failure").attribute("message").value(),
              HasSubstr("<![CDATA[ \" & ? ?[2J ]]> \xef\xbf\xbd"));
}

}  // namespace
}  // namespace warpcheck::report

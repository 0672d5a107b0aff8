#include "report/sarif/sarif.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/sarif/rules.hpp"
#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using campaign::FindingReport;
using nlohmann::json;
using testing::HasSubstr;

json run_of(const ReportContext& context) { return json::parse(sarif(context))["runs"][0]; }

/// A campaign with one variant per finding.
ReportContext campaign_of(const std::vector<FindingReport>& findings) {
  ReportContext context = small_campaign();
  context.totals.variants.clear();
  for (const FindingReport& finding : findings) {
    campaign::VariantReport variant = failing_variant();
    variant.variant = finding.variant;
    variant.findings = {finding};
    context.totals.add(variant);
  }
  return context;
}

std::string fingerprint_of(const FindingReport& finding) {
  return run_of(
      campaign_of({finding}))["results"][0]["partialFingerprints"]["primaryLocationLineHash"];
}

TEST(Sarif, ResultHasRulePlaceCaseAndReplayCommand) {
  const json result = run_of(small_campaign())["results"].at(0);
  EXPECT_EQ(result["ruleId"], "misaligned");
  EXPECT_EQ(result["level"], "error");
  const json& place = result["locations"][0]["physicalLocation"];
  EXPECT_THAT(place["artifactLocation"]["uri"].get<std::string>(),
              testing::EndsWith("kernels/sgemm_float4.cu"));
  EXPECT_EQ(place["region"]["startLine"], 12);
  EXPECT_THAT(place["region"]["snippet"]["text"].get<std::string>(), HasSubstr("float4 v ="));
  EXPECT_EQ(place["contextRegion"]["startLine"], 10);
  EXPECT_EQ(place["contextRegion"]["endLine"], 14);
  EXPECT_THAT(
      result["message"]["text"].get<std::string>(),
      testing::AllOf(HasSubstr("sgemm_float4 m=2 n=1 k=5"), HasSubstr("replay sgemm_float4")));
}

TEST(Sarif, ToolHasTheVersionOfTheRun) {
  ReportContext context = small_campaign();
  context.run.version = "1.2.3";
  EXPECT_EQ(run_of(context)["tool"]["driver"]["version"], "1.2.3");
}

TEST(Sarif, EachClassIsARuleAndResultsReferToIt) {
  const json run = run_of(small_campaign());
  const json& known = run["tool"]["driver"]["rules"];
  ASSERT_EQ(known.size(), rules().size() + 3);
  EXPECT_EQ(known[rules().size()]["id"], "source-error");
  EXPECT_EQ(known[rules().size() + 1]["id"], "unmet-requirement");
  EXPECT_EQ(known[rules().size() + 2]["id"], "not-proved");
  for (const json& result : run["results"]) {
    EXPECT_EQ(known.at(result["ruleIndex"].get<std::size_t>())["id"], result["ruleId"]);
  }
  for (std::size_t i = 0; i < rules().size(); ++i) EXPECT_EQ(known[i]["id"], name(rules()[i].kind));
}

TEST(Sarif, TwoVariantsWithOneCauseAreOneResult) {
  FindingReport other = misaligned_load();
  other.variant = "sgemm_float4_wide";
  const json results = run_of(campaign_of({misaligned_load(), other}))["results"];
  ASSERT_EQ(results.size(), 1U);
  ASSERT_EQ(results[0]["properties"]["cases"].size(), 2U);
  EXPECT_EQ(results[0]["properties"]["cases"][1]["variant"], "sgemm_float4_wide");
}

TEST(Sarif, ResultIsSuppressedIfAllFindingsAreKnown) {
  FindingReport known = misaligned_load();
  known.known = "misaligned until 2027-01-31: issue 12";
  FindingReport other = misaligned_load();
  other.variant = "sgemm_float4_wide";
  EXPECT_EQ(run_of(campaign_of({known}))["results"][0]["suppressions"],
            json::parse(R"([{"kind": "external",
                             "justification": "misaligned until 2027-01-31: issue 12"}])"));
  EXPECT_FALSE(run_of(campaign_of({known, other}))["results"][0].contains("suppressions"));
}

TEST(Sarif, OtherLineOrClassIsAnotherResult) {
  FindingReport line = misaligned_load();
  line.finding.source.line = 13;
  FindingReport kind = misaligned_load();
  kind.finding.kind = FindingClass::out_of_bounds;
  EXPECT_EQ(run_of(campaign_of({misaligned_load(), line, kind}))["results"].size(), 3U);
}

TEST(Sarif, FingerprintIgnoresLineNumberAndIndentation) {
  FindingReport moved = misaligned_load();
  moved.finding.source.line += 100;
  moved.excerpt.line += 100;
  moved.excerpt.first_line += 100;
  moved.excerpt.lines[2] = "  " + moved.excerpt.lines[2];
  moved.smallest.seed = 7;
  moved.finding.message = "load of 16 bytes at byte 24 of A, expected a multiple of 16";
  EXPECT_EQ(fingerprint_of(moved), fingerprint_of(misaligned_load()));
}

TEST(Sarif, FingerprintDependsOnLineTextAndClass) {
  FindingReport rewritten = misaligned_load();
  rewritten.excerpt.lines[2] = "    float4 v = load(a);";
  EXPECT_NE(fingerprint_of(rewritten), fingerprint_of(misaligned_load()));
  FindingReport kind = misaligned_load();
  kind.finding.kind = FindingClass::out_of_bounds;
  EXPECT_NE(fingerprint_of(kind), fingerprint_of(misaligned_load()));
}

TEST(Sarif, EqualLinesHaveDifferentFingerprints) {
  FindingReport second = misaligned_load();
  second.finding.source.line += 5;
  second.excerpt.line += 5;
  second.excerpt.first_line += 5;
  const json results = run_of(campaign_of({misaligned_load(), second}))["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_NE(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
}

TEST(Sarif, OtherAccessOfARaceIsARelatedLocation) {
  ReportContext context = small_campaign();
  context.totals.variants[0].notes.push_back(benign_race());
  const json result = run_of(context)["results"].at(0);
  EXPECT_EQ(result["level"], "note");
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 12);
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"], "the other access, a write");
  EXPECT_EQ(result["relatedLocations"][0]["id"], 1);
  EXPECT_THAT(result["message"]["text"].get<std::string>(),
              HasSubstr("\nSee [line 12](1): the other access, a write"));
}

TEST(Sarif, RelatedLocationHasItsColumnAndText) {
  FindingReport report = benign_race();
  report.finding.source.calls = {{"kernels/sgemm_float4.cu", 20}};
  report.finding.other->source.column = 5;
  report.other_excerpt = report.excerpt;
  ReportContext context = small_campaign();
  context.totals.variants[0].notes.push_back(report);
  const json places = run_of(context)["results"].at(0)["relatedLocations"];
  EXPECT_EQ(places.at(0)["physicalLocation"]["region"]["startColumn"], 5);
  EXPECT_THAT(places.at(0)["physicalLocation"]["region"]["snippet"]["text"].get<std::string>(),
              testing::StartsWith("float4 v = "));
  EXPECT_EQ(places.at(1)["physicalLocation"]["region"], json({{"startLine", 20}}));
}

TEST(Sarif, RulesHaveHelpAsMarkdown) {
  const json run = run_of(small_campaign());
  for (const json& rule : run["tool"]["driver"]["rules"]) {
    EXPECT_THAT(rule["help"]["markdown"].get<std::string>(), testing::StartsWith("**")) << rule;
  }
}

TEST(Sarif, ToolAndRulesLinkTheInstalledPages) {
  ReportContext context = small_campaign();
  const auto driver = [&] { return run_of(context)["tool"]["driver"]; };
  EXPECT_FALSE(driver().contains("informationUri"));
  EXPECT_FALSE(driver()["rules"][0].contains("helpUri"));
  context.run.docs = "/opt/a b/docs";
  EXPECT_EQ(driver()["informationUri"], "file:///opt/a%20b/docs/README.md");
  for (const json& rule : driver()["rules"]) {
    EXPECT_EQ(rule["helpUri"], "file:///opt/a%20b/docs/checks.md");
  }
}

TEST(Sarif, ACaseThatIsNotFullyShrunkIsMarked) {
  ReportContext context = small_campaign();
  FindingReport& finding = context.totals.variants.at(1).findings.at(0);
  const auto shrunk = [&] { return run_of(context)["results"][0]["properties"]["cases"][0]; };
  EXPECT_FALSE(shrunk().contains("fullyShrunk"));
  finding.fully_shrunk = false;
  EXPECT_EQ(shrunk()["fullyShrunk"], false);
}

TEST(Sarif, ColumnCountsCharactersInsteadOfBytes) {
  FindingReport report = misaligned_load();
  report.excerpt.lines[2] = "/* \xc3\xa4\xc3\xb6 */ float4 v;";
  report.finding.source.column = 12;
  const json result = run_of(campaign_of({report}))["results"].at(0);
  const json& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 10);
  EXPECT_EQ(region["snippet"]["text"], "float4 v;");
}

TEST(Sarif, FindingWithoutPlaceHasTheFileOfItsVariant) {
  const json result = run_of(campaign_of({wrong_result()}))["results"].at(0);
  const json& place = result["locations"][0]["physicalLocation"];
  EXPECT_THAT(place["artifactLocation"]["uri"].get<std::string>(),
              testing::EndsWith("sgemm_tail.cu"));
  EXPECT_FALSE(place.contains("region"));
}

TEST(Sarif, UnsupportedFormIsANotificationWithItsPlace) {
  ReportContext context = campaign_of({});
  context.totals.add(unsupported_variant());
  const json run = run_of(context);
  EXPECT_TRUE(run["results"].empty());
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  const json& notification = run["invocations"][0]["toolExecutionNotifications"].at(0);
  EXPECT_EQ(notification["level"], "error");
  EXPECT_THAT(notification["message"]["text"].get<std::string>(),
              HasSubstr("hgemm_wgmma: unsupported on the virtual device: wgmma.fence"));
  EXPECT_EQ(notification["locations"][0]["physicalLocation"]["region"]["startLine"], 31);
}

TEST(Sarif, MistrustedVariantsAndDriftsAreNotifications) {
  ReportContext context = small_campaign();
  context.drifts.emplace_back().variant = "sgemm_naive";
  const json run = run_of(context);
  EXPECT_EQ(run["results"].size(), 1U);
  const json& notifications = run["invocations"][0]["toolExecutionNotifications"];
  ASSERT_EQ(notifications.size(), 2U);
  EXPECT_THAT(notifications[0]["message"]["text"].get<std::string>(), HasSubstr("sgemm_blind"));
  EXPECT_THAT(notifications[1]["message"]["text"].get<std::string>(), HasSubstr("sgemm_naive"));
}

TEST(Sarif, StoppedCasesAreANotification) {
  ReportContext context = campaign_of({});
  context.totals.stopped = 3;
  const json run = run_of(context);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].at(0)["message"]["text"],
            "3 cases stopped by the time limit: neither passed nor failed");
}

}  // namespace
}  // namespace warpcheck::report

#include "report/gitlab/gitlab.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "report/sarif/sarif.hpp"
#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json issues_of(const ReportContext& context) { return json::parse(gitlab(context)); }

ReportContext campaign_with_every_kind() {
  ReportContext context = small_campaign();
  context.totals.add(unsupported_variant());
  context.totals.variants[0].notes.push_back(benign_race());
  context.totals.errors.push_back({"bad.cu", {{{"bad.cu", 16, 3}, "undefined name", {}}}});
  context.requirements.policy = "warpcheck.toml";
  context.requirements.all.push_back(
      {"coverage", "sgemm_naive: coverage", "", RequirementState::unmet, "too little coverage"});
  return context;
}

// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
TEST(GitLab, EveryIssueHasTheDocumentedFields) {
  const json issues = issues_of(campaign_with_every_kind());
  ASSERT_EQ(issues.size(), 6U);
  const std::set<std::string> severities = {"info", "minor", "major", "critical", "blocker"};
  std::set<std::string> fingerprints;
  for (const json& issue : issues) {
    EXPECT_NE(issue.at("description").get<std::string>(), "");
    EXPECT_NE(issue.at("check_name").get<std::string>(), "");
    EXPECT_EQ(severities.count(issue.at("severity")), 1U) << issue;
    const std::string path = issue.at("location").at("path");
    EXPECT_FALSE(path.empty() || path.starts_with("/") || path.starts_with("./")) << path;
    EXPECT_GE(issue.at("location").at("lines").at("begin").get<int>(), 1);
    EXPECT_TRUE(fingerprints.insert(issue.at("fingerprint")).second) << issue;
  }
}

TEST(GitLab, FindingIsCriticalAtItsLineWithTheFingerprintOfSarif) {
  const json issue = issues_of(small_campaign()).at(0);
  EXPECT_EQ(issue["check_name"], "misaligned");
  EXPECT_EQ(issue["severity"], "critical");
  EXPECT_THAT(issue["location"]["path"].get<std::string>(),
              testing::EndsWith("kernels/sgemm_float4.cu"));
  EXPECT_EQ(issue["location"]["lines"]["begin"], 12);
  EXPECT_THAT(issue["description"].get<std::string>(), HasSubstr("replay sgemm_float4"));
  const json result = json::parse(sarif(small_campaign()))["runs"][0]["results"][0];
  EXPECT_EQ(issue["fingerprint"], result["partialFingerprints"]["primaryLocationLineHash"]);
}

TEST(GitLab, NotesAndKnownFindingsAreInformation) {
  ReportContext context = small_campaign();
  context.totals = {};
  context.totals.add(known_variant());
  context.totals.variants[0].notes.push_back(benign_race());
  const json issues = issues_of(context);
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_EQ(issues[0]["severity"], "info");
  EXPECT_THAT(issues[0]["description"].get<std::string>(), HasSubstr("Known: misaligned until"));
  EXPECT_EQ(issues[1]["severity"], "info");
}

TEST(GitLab, FindingThatAStrictOptionDemandsIsCritical) {
  ReportContext context = small_campaign();
  context.totals.variants[1].findings = {benign_race()};
  EXPECT_EQ(issues_of(context).at(0)["severity"], "critical");
  const json result = json::parse(sarif(context))["runs"][0]["results"][0];
  EXPECT_EQ(result["level"], "error");
}

TEST(GitLab, ProblemWithoutAPlaceIsAtThePolicy) {
  const json issues = issues_of(campaign_with_every_kind());
  const auto coverage = std::find_if(issues.begin(), issues.end(), [](const json& issue) {
    return issue["check_name"] == "unmet-requirement";
  });
  ASSERT_NE(coverage, issues.end());
  EXPECT_THAT((*coverage)["location"]["path"].get<std::string>(),
              testing::EndsWith("warpcheck.toml"));
  EXPECT_EQ((*coverage)["location"]["lines"]["begin"], 1);
}

}  // namespace
}  // namespace warpcheck::report

#include "workflows/exec/suppressions/suppressions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck::workflows::exec {
namespace {

using campaign::FindingReport;
using testing::HasSubstr;
using testing::SizeIs;

/// A race of a kernel that main() launches.
FindingReport race() {
  FindingReport report;
  report.variant = "ns::sum<float>(float*, int)";
  report.finding.kind = FindingClass::race;
  report.finding.message = "a \"race\"";
  report.finding.source.file = "/home/me/src/sum.cu";
  report.finding.source.line = 12;
  report.excerpt = {"/home/me/src/sum.cu", 12, 11, {"{", "  sums[i] += x;", "}"}};
  report.stacks = {{"launched by", {{"./sum", 1, "run(int)", "/home/me/src/main.cu", 3}}}};
  return report;
}

/// The reason for which a suppression with these conditions accepts the finding.
std::string known(const std::string& conditions) {
  auto all = Suppressions::parse(
      "[[suppression]]\nclass = 'race'\nreason = 'issue 3'\n" + conditions, "file.toml");
  FindingReport report = race();
  all.apply(report);
  EXPECT_THAT(all.unused(), SizeIs(report.known.empty() ? 1 : 0));
  return report.known;
}

std::string error_of(const std::string& text) {
  try {
    (void)Suppressions::parse(text, "file.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ExecSuppressions, AllConditionsMustMatch) {
  EXPECT_EQ(known(""), "issue 3");
  EXPECT_EQ(known("kernel = 'ns::s*'\nfile = 'src/*.cu'\nline = 12\nfunction = 'run'"), "issue 3");
  EXPECT_EQ(known("code = 'sums[i] +=  x;'"), "issue 3");
  EXPECT_EQ(known("kernel = 'sum'"), "");
  EXPECT_EQ(known("file = 'um.cu'"), "");
  EXPECT_EQ(known("line = 13"), "");
  EXPECT_EQ(known("code = 'sums[i] += y;'"), "");
  EXPECT_EQ(known("function = 'main'"), "");
  EXPECT_EQ(known("line = 12\nfunction = 'main'"), "");
}

TEST(ExecSuppressions, OtherClassIsNotSuppressed) {
  auto all = Suppressions::parse("[[suppression]]\nclass = 'leak'\nreason = 'r'", "file.toml");
  FindingReport report = race();
  all.apply(report);
  EXPECT_EQ(report.known, "");
  EXPECT_EQ(all.unused().at(0)->where.line, 1U);
}

TEST(ExecSuppressions, ErrorsHaveTheirPlace) {
  EXPECT_THAT(error_of("[[suppression]]\nclass = 'rase'\nreason = 'r'"),
              HasSubstr("file.toml:2:9: error: unknown class 'rase': did you mean 'race'?"));
  EXPECT_THAT(error_of("[[suppression]]\nclass = 'race'"), HasSubstr("reason"));
  EXPECT_THAT(error_of("[[suppression]]\nclass = 'race'\nreason = ' '"), HasSubstr(":3:"));
  EXPECT_THAT(error_of("[[suppression]]\nclass = 'race'\nreason = 'r'\nline = 0"),
              HasSubstr("expected a line from 1"));
  EXPECT_THAT(error_of("[suppression]\nclass = 'race'"), HasSubstr("[[suppression]]"));
  EXPECT_THAT(error_of("[[suppresion]]\n"), HasSubstr("did you mean 'suppression'?"));
}

TEST(ExecSuppressions, SavedOnesMatchTheirFinding) {
  campaign::CampaignReport campaign;
  campaign.variants.emplace_back().findings = {race(), race()};
  const std::string text =
      suppressions_of(campaign, [](const Finding& finding) { return finding.message; });
  auto all = Suppressions::parse(text, "saved.toml");
  FindingReport report = race();
  report.finding.source.line = report.excerpt.line = 20;  // the line moved
  report.excerpt.first_line = 19;
  all.apply(report);
  EXPECT_EQ(report.known, "a \"race\"");
  EXPECT_THAT(all.unused(), SizeIs(0));
}

}  // namespace
}  // namespace warpcheck::workflows::exec

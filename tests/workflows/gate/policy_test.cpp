#include "workflows/gate/policy.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::workflows::gate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

/// Contracts must not depend on devices, so that they list the classes themselves.
TEST(ContractWords, ClassesOfExpectAreThoseOfFindings) {
  ASSERT_EQ(contract::kFindingClasses.size(), static_cast<std::size_t>(kLastFindingClass) + 1);
  for (std::size_t i = 0; i < contract::kFindingClasses.size(); ++i) {
    EXPECT_EQ(contract::kFindingClasses[i], name(static_cast<FindingClass>(i)));
  }
}

TEST(Policy, RequiresContractsOnDemand) {
  EXPECT_FALSE(parse_policy("targets = \"k\"\n", "p.toml").require_contracts);
  EXPECT_TRUE(
      parse_policy("targets = \"k\"\nrequire_contracts = true\n", "p.toml").require_contracts);
}

TEST(Policy, ProvesAllPropertiesOrTheNamedOnes) {
  const auto proved = [](const std::string& value) {
    return parse_policy("targets = \"k\"\nprove = " + value + "\n", "p.toml").rules.prove;
  };
  EXPECT_EQ(proved("true"), proof::all_properties());
  EXPECT_THAT(proved("false"), IsEmpty());
  EXPECT_THAT(proved("[\"bounds\", \"races\"]"),
              ElementsAre(proof::Property::bounds, proof::Property::races));
  EXPECT_THROW((void)proved("\"bound\""), InputError);
}

constexpr const char* kWhole = R"toml(
targets  = ["kernels", "hgemm_*"]
variants = "*gemm*"
devices  = ["virtual", "cuda"]
cases    = 250
seconds  = 90.5
seed     = 7
max_size = 64
properties   = ["matches-reference"]
strict_races = true
strict_barriers = true
mutants  = 30
minimum  = { sensitivity = 90, lines = 95.5, branches = 80, mutation_score = 75 }

[[group]]
variants = ["hgemm_*"]
cases    = 500
minimum  = { lines = 60 }

[[group]]
variants = "hgemm_edge"
devices  = "virtual"
cases    = 20

[[known_failure]]
variant = "hgemm_edge"
class   = "race"
line    = 41
property = "matches-reference"
reason  = "the epilogue lacks a barrier; issue 12"
until   = 2026-12-31

[reports]
junit = "reports/junit.xml"
sarif = "reports/warpcheck.sarif"
)toml";

/// Returns "line:column: message" for each error.
std::vector<std::string> errors(const std::string& toml) {
  try {
    (void)parse_policy(toml, "warpcheck.toml");
  } catch (const InputError& error) {
    std::vector<std::string> texts;
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      EXPECT_EQ(diagnostic.where.file, "warpcheck.toml");
      texts.push_back(std::to_string(diagnostic.where.line) + ":" +
                      std::to_string(diagnostic.where.column) + ": " + diagnostic.message);
    }
    return texts;
  }
  return {};
}

/// Returns a policy with a known failure in which `to` replaces `from`.
std::string known_failure_with(const std::string& from, const std::string& to) {
  std::string text =
      "targets = \"x\"\n[[known_failure]]\nvariant = \"x\"\nclass = \"race\"\n"
      "reason = \"r\"\nuntil = 2026-12-31\n";
  const std::size_t at = text.find(from);
  return text.replace(at, from.size(), to);
}

TEST(Policy, ReadsEveryKey) {
  const GatePolicy policy = parse_policy(kWhole, "warpcheck.toml");
  EXPECT_THAT(policy.targets, ElementsAre("kernels", "hgemm_*"));
  EXPECT_TRUE(policy.takes("sgemm"));
  EXPECT_FALSE(policy.takes("conv"));
  EXPECT_THAT(policy.rules.devices, ElementsAre("virtual", "cuda"));
  EXPECT_EQ(policy.rules.settings.campaign.cases, 250);
  EXPECT_EQ(policy.rules.settings.campaign.budget_seconds, 90.5);
  EXPECT_EQ(policy.rules.settings.campaign.seed, 7u);
  EXPECT_EQ(policy.rules.settings.campaign.max_size, 64);
  EXPECT_THAT(policy.rules.settings.campaign.properties, ElementsAre("matches-reference"));
  EXPECT_TRUE(policy.rules.settings.campaign.strict.races);
  EXPECT_TRUE(policy.rules.settings.campaign.strict.barriers);
  EXPECT_EQ(policy.rules.mutants, 30u);
  EXPECT_EQ(policy.rules.minimum, (Minimums{90, 95.5, 80, 75}));
  ASSERT_EQ(policy.known_failures.size(), 1u);
  const KnownFailure& known = policy.known_failures[0];
  EXPECT_EQ(known.variant, "hgemm_edge");
  EXPECT_EQ(known.kind, FindingClass::race);
  EXPECT_EQ(known.line, 41u);
  EXPECT_EQ(known.property, "matches-reference");
  EXPECT_EQ(known.reason, "the epilogue lacks a barrier; issue 12");
  EXPECT_EQ(known.until, (Date{2026, 12, 31}));
  EXPECT_EQ(known.where.line, 25u);
  EXPECT_THAT(policy.reports, ElementsAre(Pair("junit", "reports/junit.xml"),
                                          Pair("sarif", "reports/warpcheck.sarif")));
}

TEST(Policy, ALaterGroupOverridesSingleKeysOfEarlierOnes) {
  const GatePolicy policy = parse_policy(kWhole, "warpcheck.toml");
  EXPECT_EQ(policy.rules_of("sgemm"), policy.rules);
  const GateRules half = policy.rules_of("hgemm_tiled");
  EXPECT_EQ(half.settings.campaign.cases, 500);
  EXPECT_EQ(half.minimum, (Minimums{90, 60, 80, 75}));
  EXPECT_EQ(half.settings.campaign.seed, 7u);
  const GateRules edge = policy.rules_of("hgemm_edge");
  EXPECT_EQ(edge.settings.campaign.cases, 20);
  EXPECT_EQ(edge.minimum.lines, 60);
  EXPECT_THAT(edge.devices, ElementsAre("virtual"));
}

TEST(Policy, RequiresOnlyTargets) {
  EXPECT_THAT(errors("targets = \"kernels\""), IsEmpty());
  EXPECT_THAT(errors("cases = 3"), ElementsAre(HasSubstr("missing key 'targets'")));
}

TEST(Policy, UnknownKeysAreErrorsInEveryTable) {
  EXPECT_THAT(errors("targets = \"x\"\ncase = 3"),
              ElementsAre("2:1: unknown key 'case': did you mean 'cases'?"));
  EXPECT_THAT(errors("targets = \"x\"\nminimum = { line = 3 }"),
              ElementsAre(AllOf(HasSubstr("2:13: "), HasSubstr("'line'"))));
  EXPECT_THAT(errors("targets = \"x\"\n[[group]]\nvariants = \"x\"\nseeed = 3"),
              ElementsAre(HasSubstr("4:1: unknown key 'seeed'")));
  EXPECT_THAT(errors("targets = \"x\"\n[reports]\npdf = \"x\""),
              ElementsAre(HasSubstr("3:1: unknown key 'pdf'")));
  EXPECT_THAT(errors(known_failure_with("reason", "raeson")),
              testing::Contains(HasSubstr("unknown key 'raeson'")));
}

TEST(Policy, AcceptsTheRetiredKeyForSensitivity) {
  const GatePolicy old =
      parse_policy("targets = \"x\"\nminimum = { power = 90 }", "x.toml");  // retired spelling
  EXPECT_EQ(old.rules.minimum.sensitivity, 90.0);
  const GatePolicy both = parse_policy(
      "targets = \"x\"\nminimum = { sensitivity = 80, power = 90 }", "x.toml");  // retired spelling
  EXPECT_EQ(both.rules.minimum.sensitivity, 80.0);
}

TEST(Policy, AKnownFailureHasAReasonAndADay) {
  EXPECT_THAT(errors(known_failure_with("reason = \"r\"\n", "")),
              ElementsAre("2:1: missing key 'reason'"));
  EXPECT_THAT(errors(known_failure_with("until = 2026-12-31\n", "")),
              ElementsAre("2:1: missing key 'until'"));
  EXPECT_THAT(errors(known_failure_with("\"r\"", "\" \"")),
              ElementsAre("5:10: found no reason, expected one"));
  EXPECT_THAT(errors(known_failure_with("2026-12-31", "\"2026-12-31\"")),
              ElementsAre(HasSubstr("6:9: a string where a date such as 2026-12-31")));
  EXPECT_THAT(errors(known_failure_with("2026-12-31", "2026-02-30")),
              ElementsAre(HasSubstr("not TOML")));
  EXPECT_THAT(errors(known_failure_with("\"race\"", "\"rice\"")),
              ElementsAre("4:9: unknown class 'rice': did you mean 'race'?"));
}

TEST(Policy, ValuesOfTheWrongKindAreErrorsAtTheirPlace) {
  EXPECT_THAT(errors("targets = \"x\"\ncases = 0"),
              ElementsAre("2:9: found 0, expected 1 or more"));
  EXPECT_THAT(errors("targets = \"x\"\nseconds = \"2m\""),
              ElementsAre(HasSubstr("2:11: a string where a number of seconds is expected")));
  EXPECT_THAT(errors("targets = \"x\"\nminimum = { sensitivity = 101 }"),
              ElementsAre("2:27: found 101, expected a percentage from 0 to 100"));
  EXPECT_THAT(errors("targets = \"x\"\ndevices = [\"virtual\", \"gpu\"]"),
              ElementsAre(HasSubstr("2:23: unknown device 'gpu'")));
  EXPECT_THAT(errors("targets = []"), ElementsAre("1:11: empty, expected a target or more"));
  EXPECT_THAT(errors("targets = \"x\"\nproperties = \"matches\""),
              ElementsAre(HasSubstr("2:14: unknown property 'matches'")));
  EXPECT_THAT(errors("targets = \"x\"\n[group]\nvariants = \"x\""),
              ElementsAre(HasSubstr("[[group]]")));
}

TEST(Date, IsADayOfTheCalendar) {
  EXPECT_EQ(parse_date("2024-02-29"), (Date{2024, 2, 29}));
  EXPECT_EQ(to_text({2024, 2, 9}), "2024-02-09");
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-1-1", "24-01-01", "2024-01-01x", "",
                           "-024-01-01", "2024/01/01"}) {
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
  }
  EXPECT_LT((Date{2024, 12, 31}), (Date{2025, 1, 1}));
}

}  // namespace
}  // namespace warpcheck::workflows::gate

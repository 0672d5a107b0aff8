// Laws of the reader of policies.
#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "workflows/gate/policy.hpp"

namespace warpcheck::workflows::gate {
namespace {

using Words = std::vector<std::string>;

std::string quoted(const Words& words) {
  std::string text;
  for (const std::string& word : words)
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
  return "[" + text + "]";
}

std::string text_of(const GateRules& rules) {
  std::string text = fmt::format(
      "devices = {}\ncases = {}\nseed = {}\nmax_size = {}\nstrict_races = {}\nstrict_barriers = "
      "{}\nmutants = {}\n"
      "minimum = {{ sensitivity = {}, lines = {}, branches = {}, mutation_score = {} }}\n",
      quoted(rules.devices), rules.settings.campaign.cases, rules.settings.campaign.seed,
      rules.settings.campaign.max_size, rules.settings.campaign.strict.races,
      rules.settings.campaign.strict.barriers, rules.mutants, rules.minimum.sensitivity,
      rules.minimum.lines, rules.minimum.branches, rules.minimum.mutation_score);
  if (rules.settings.campaign.budget_seconds > 0.0)
    text += fmt::format("seconds = {}\n", rules.settings.campaign.budget_seconds);
  if (!rules.settings.campaign.properties.empty())
    text += fmt::format("properties = {}\n", quoted(rules.settings.campaign.properties));
  return text;
}

/// Percentages with a fraction that TOML can state exactly.
double arbitrary_percentage() { return *rc::gen::inRange(0, 401) / 4.0; }

GateRules arbitrary_rules() {
  GateRules rules;
  rules.devices = *rc::gen::element(Words{"virtual"}, Words{"cuda"}, Words{"virtual", "cuda"});
  rules.settings.campaign.cases = *rc::gen::inRange(1, 100'000);
  rules.settings.campaign.budget_seconds = *rc::gen::inRange(0, 4'000) / 8.0;
  rules.settings.campaign.seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000));
  rules.settings.campaign.max_size = *rc::gen::inRange(1, 5'000);
  rules.settings.campaign.properties = *rc::gen::element(
      Words{}, Words{"matches-reference"}, Words{"same-bits-twice", "k-zero-scales-c"});
  rules.settings.campaign.strict.races = *rc::gen::arbitrary<bool>();
  rules.settings.campaign.strict.barriers = *rc::gen::arbitrary<bool>();
  rules.mutants = static_cast<std::size_t>(*rc::gen::inRange(1, 1'000));
  rules.minimum = {arbitrary_percentage(), arbitrary_percentage(), arbitrary_percentage(),
                   arbitrary_percentage()};
  return rules;
}

RC_GTEST_PROP(PolicyLaws, RulesAreReadBackFromTheirText, ()) {
  const GateRules rules = arbitrary_rules();
  const GatePolicy policy = parse_policy("targets = \"k.cu\"\n" + text_of(rules), "p.toml");
  RC_ASSERT(policy.rules == rules);
  RC_ASSERT(policy.rules_of("any_variant") == rules);
}

RC_GTEST_PROP(PolicyLaws, AGroupOverridesTheRulesOfItsVariantsOnly, ()) {
  const GateRules rules = arbitrary_rules();
  const GateRules group = arbitrary_rules();
  RC_PRE(group.settings.campaign.budget_seconds > 0.0 &&
         !group.settings.campaign.properties.empty());
  const GatePolicy policy = parse_policy("targets = \"k.cu\"\n" + text_of(rules) +
                                             "[[group]]\nvariants = \"fast_*\"\n" + text_of(group),
                                         "p.toml");
  RC_ASSERT(policy.rules_of("fast_one") == group);
  RC_ASSERT(policy.rules_of("slow_one") == rules);
}

}  // namespace
}  // namespace warpcheck::workflows::gate

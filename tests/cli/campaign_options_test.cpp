// Each option of `check` is in one of two tables: it determines the cases or their verdicts, and so
// the identity of a campaign and the command that replays a case, or it does not.
#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/commands/devices.hpp"
#include "cli/options/program.hpp"
#include "cli/run/campaign_config.hpp"
#include "workflows/history/campaign_config.hpp"

namespace warpcheck::cli {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using workflows::history::CampaignOption;

using Words = std::vector<std::string>;

/// Words that set an option to a value other than the default.
const std::map<std::string, Words> kOther = {
    {"--cases", {"--cases", "7"}},
    {"--seed", {"--seed", "7"}},
    {"--max-size", {"--max-size", "7"}},
    {"--property", {"--property", "same-bits-twice"}},
    {"--mma-arch", {"--mma-arch", "sm_90"}},
    {"--no-races", {"--no-races"}},
    {"--volatile", {"--volatile", "weak"}},
    {"--strict-races", {"--strict-races"}},
    {"--strict-barriers", {"--strict-barriers"}},
    {"--strict-launch", {"--strict-launch"}},
    {"--limit elements", {"--limit", "elements=7"}},
    {"--limit work", {"--limit", "work=7"}},
    {"--limit blocks", {"--limit", "blocks=7"}},
    {"--limit instructions", {"--limit", "instructions=7"}},
    {"--limit memory", {"--limit", "memory=7"}},
    {"--limit printed", {"--limit", "printed=7"}},
    {"--shard", {"--shard", "1/7"}},
    {"--min-coverage", {"--min-coverage", "7"}},
};

template <typename Chosen>
Chosen parsed(const std::string& command, const Words& words) {
  std::vector<const char*> all = {"warpcheck", command.c_str()};
  for (const std::string& word : words) all.push_back(word.c_str());
  return std::get<Chosen>(parse_arguments(static_cast<int>(all.size()), all.data()));
}

workflows::history::CampaignConfig config_of(Words words) {
  words.insert(words.begin(), {"--device", "virtual"});
  const auto check = parsed<CheckCommand>("check", words);
  const ChosenDevice chosen = choose_device(check.common, 1, 1);
  return campaign_config(check.common, campaign_options(check, *chosen.device), *chosen.device, {});
}

/// "--limit" of "--limit blocks".
std::string name_of(const CampaignOption& option) {
  return std::string(option.option.substr(0, option.option.find(' ')));
}

TEST(CampaignOptions, EachOptionOfCheckIsInOneOfTheTables) {
  std::set<std::string> determining;
  for (const CampaignOption& option : workflows::history::campaign_options()) {
    determining.insert(name_of(option));
  }
  const auto others = workflows::history::other_options();
  Command chosen;
  const auto program = make_program(chosen);
  for (const CLI::Option* option : program->get_subcommand("check")->get_options()) {
    if (option->get_lnames().empty()) continue;  // a target
    const std::string name = "--" + option->get_lnames().front();
    const bool is_other = std::find(others.begin(), others.end(), name) != others.end();
    EXPECT_NE(determining.contains(name), is_other) << name;
  }
}

TEST(CampaignOptions, EachDeterminingOptionChangesTheIdentity) {
  const std::string usual = identity_of(config_of({}));
  for (const CampaignOption& option : workflows::history::campaign_options()) {
    if (option.option.empty() || option.option == "--device") continue;
    SCOPED_TRACE(std::string(option.option));
    ASSERT_TRUE(kOther.contains(std::string(option.option)));
    const auto other = config_of(kOther.at(std::string(option.option)));
    EXPECT_NE(identity_of(other), usual);
    // The campaign of a history has the same options again.
    EXPECT_EQ(identity_of(workflows::history::setting_of(identity_of(other))), identity_of(other));
  }
  auto cuda = config_of({});
  cuda.device = "cuda";
  EXPECT_NE(identity_of(cuda), usual);
}

TEST(CampaignOptions, AReplayCommandHasTheOptionsOfTheCheck) {
  EXPECT_THAT(replay_options(config_of({})), IsEmpty());
  for (const CampaignOption& option : workflows::history::campaign_options()) {
    if (option.words == nullptr) continue;
    SCOPED_TRACE(std::string(option.option));
    const auto checked = config_of(kOther.at(std::string(option.option)));
    Words words = replay_options(checked);
    EXPECT_THAT(words, Contains(name_of(option)));
    words.emplace_back("mine m=1");
    const auto replayed = parsed<ReplayCommand>("replay", words);
    EXPECT_EQ(replay_options(campaign_config(replayed.common)), replay_options(checked));
  }
}

}  // namespace
}  // namespace warpcheck::cli

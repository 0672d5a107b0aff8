// The command line, the identity of a campaign and the command that replays a case follow from the
// table of options.
#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/devices.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/program.hpp"
#include "cli/run/campaign_config.hpp"
#include "workflows/history/campaign_config.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::StartsWith;
using workflows::settings::Option;

using Words = std::vector<std::string>;

/// Words that set an option of `check` to a value other than the default.
Words other_words(const Option& option) {
  const std::string name(option.name);
  const std::string limit(limit_name(option));
  if (!limit.empty()) return {"--limit", limit + "=7"};
  std::string_view value = option.value.text;
  for (const Option& row : workflows::settings::options()) {
    if (row.name == option.name && value.empty()) value = row.value.text;
  }
  if (value.empty()) return {name.substr(name.find("--"))};
  if (value == "PROPERTY") return {name, "same-bits-twice"};
  if (value == "I/N") return {name, "1/7"};
  const auto choices = workflows::settings::words_of(value, '|');
  return {name, choices.size() == 1 ? "7" : std::string(choices.back())};
}

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
std::string_view name_of(const Option& option) {
  return option.name.substr(0, option.name.find(' '));
}

TEST(CampaignOptions, EachOptionOfCheckIsInTheTable) {
  Command chosen;
  const auto program = make_program(chosen);
  for (const CLI::Option* option : program->get_subcommand("check")->get_options()) {
    if (option->get_lnames().empty() || option->get_name() == "--help") continue;
    const std::string name = "--" + option->get_lnames().front();
    EXPECT_TRUE(std::ranges::any_of(workflows::settings::options(), [&](const Option& row) {
      return row.name.ends_with(name) && use_in(row, "check") != nullptr;
    })) << name;
  }
}

TEST(CampaignOptions, EachCommandOfTheTableExists) {
  Command chosen;
  const auto program = make_program(chosen);
  for (const Option& option : workflows::settings::options()) {
    for (const auto& use : option.uses) {
      if (use.commands.empty()) continue;
      for (const auto command : workflows::settings::words_of(use.commands, ' ')) {
        EXPECT_NO_THROW(program->get_subcommand(std::string(command))) << option.name;
      }
    }
  }
}

TEST(CampaignOptions, NoTwoOptionsHaveTheSameKey) {
  std::set<std::string_view> keys;
  for (const Option& option : workflows::settings::options()) {
    const auto key = option.effect.key;
    EXPECT_TRUE(key.empty() || keys.insert(key).second) << key;
  }
}

TEST(CampaignOptions, EachDeterminingOptionChangesTheIdentity) {
  const std::string usual = identity_of(config_of({}));
  for (const Option& option : workflows::settings::options()) {
    if (option.effect.key.empty() || option.name.empty()) continue;
    if (option.name == "--device") continue;
    SCOPED_TRACE(std::string(option.name));
    const auto other = config_of(other_words(option));
    EXPECT_NE(identity_of(other), usual);
    // The campaign of a history has the same options again.
    EXPECT_EQ(identity_of(workflows::history::setting_of(identity_of(other))), identity_of(other));
  }
  auto cuda = config_of({});
  cuda.settings.device = "cuda";
  EXPECT_NE(identity_of(cuda), usual);
}

TEST(CampaignOptions, OnlyLaterOptionsMayBeAbsentFromAnIdentity) {
  const std::string identity = identity_of(config_of({}));
  const auto without = [&](const std::string& member) {
    const std::size_t at = identity.find(member);
    return at == identity.npos ? "" : std::string(identity).erase(at, member.size());
  };
  const auto older = workflows::history::setting_of(without(R"("weak volatile":false,)"));
  EXPECT_EQ(identity_of(older), identity);
  EXPECT_THROW((void)workflows::history::setting_of(without(R"("seed":0,)")), std::runtime_error);
}

TEST(CampaignOptions, OtherOptionsDoNotChangeTheIdentity) {
  Command chosen;
  const auto program = make_program(chosen);
  std::set<std::string_view> determining;
  for (const Option& option : workflows::settings::options()) {
    if (!option.effect.key.empty()) determining.insert(name_of(option));
  }
  for (const Option& option : workflows::settings::options()) {
    if (use_in(option, "check") == nullptr || determining.contains(name_of(option))) continue;
    SCOPED_TRACE(std::string(option.name));
    Words words = other_words(option);
    const auto& needs = program->get_subcommand("check")->get_option(words.front())->get_needs();
    Words needed;
    for (const CLI::Option* need : needs) needed.insert(needed.end(), {need->get_name(), "1/1"});
    const std::string usual = identity_of(config_of(needed));
    words.insert(words.end(), needed.begin(), needed.end());
    EXPECT_EQ(identity_of(config_of(words)), usual);
  }
}

TEST(CampaignOptions, AReplayCommandHasTheOptionsOfTheCheck) {
  EXPECT_THAT(replay_words(config_of({}).settings), ElementsAre("--device", "virtual"));
  for (const Option& option : workflows::settings::options()) {
    if (!option.effect.on_verdicts || option.name == "--device") continue;
    SCOPED_TRACE(std::string(option.name));
    const Words checked = replay_words(config_of(other_words(option)).settings);
    for (const std::string& word : other_words(option)) EXPECT_THAT(checked, Contains(word));
    Words words = checked;
    words.emplace_back("mine m=1");
    EXPECT_EQ(replay_words(parsed<ReplayCommand>("replay", words).common), checked);
  }
}

TEST(CampaignOptions, AReplayCommandQuotesTheDeviceOfAHistory) {
  Common common;
  common.program = "warpcheck";
  common.device = "$(id)";
  EXPECT_THAT(replay_command(common, "", campaign::Case{}),
              StartsWith("warpcheck replay --device '$(id)' "));
}

}  // namespace
}  // namespace warpcheck::cli

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "cli/help/description.hpp"
#include "cli/help/help_text.hpp"
#include "cli/help/man_page.hpp"
#include "cli/options/program.hpp"

namespace warpcheck::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The program and every command, including hidden ones.
std::vector<const CommandApp*> all_commands(const CommandApp& program) {
  std::vector<const CommandApp*> commands = {&program};
  for (const CLI::App* app : program.get_subcommands(nullptr)) {
    commands.push_back(&dynamic_cast<const CommandApp&>(*app));
  }
  return commands;
}

/// The words of the warpcheck command in an example, without other commands of the shell line.
std::vector<std::string> words_of_call(const std::string& example) {
  std::string call = example.substr(example.find("warpcheck"));
  call = call.substr(0, call.find_first_of("|>)"));
  std::vector<std::string> words;
  bool quoted = false;
  bool in_word = false;
  for (const char character : call) {
    if (character == '\'') {
      quoted = !quoted;
    } else if (character == ' ' && !quoted) {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += character;
    }
  }
  return words;
}

class Help : public testing::Test {
 protected:
  Command chosen_;
  std::unique_ptr<CommandApp> program_ = make_program(chosen_);
};

TEST_F(Help, EveryLineHasAtMost80Columns) {
  for (const CommandApp* command : all_commands(*program_)) {
    std::istringstream text(help_text(description_of(*command)));
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(Help, EveryCommandHasADescriptionAndAnExample) {
  for (const CommandApp* command : all_commands(*program_)) {
    EXPECT_THAT(command->about, testing::EndsWith(".")) << command->get_name();
    EXPECT_THAT(command->examples, Not(IsEmpty())) << command->get_name();
    EXPECT_THAT(command->get_description(), Not(testing::EndsWith("."))) << command->get_name();
  }
}

TEST_F(Help, EveryExampleIsAValidCommandLine) {
  for (const CommandApp* command : all_commands(*program_)) {
    for (const HelpEntry& example : command->examples) {
      const std::vector<std::string> words = words_of_call(example.term);
      if (words.back() == "--help") continue;
      std::vector<const char*> argv;
      for (const std::string& word : words) argv.push_back(word.c_str());
      const Command parsed = parse_arguments(static_cast<int>(argv.size()), argv.data());
      EXPECT_FALSE(std::holds_alternative<Leave>(parsed)) << example.term;
      if (command == program_.get()) continue;
      EXPECT_EQ(words.at(1), command->get_name()) << example.term;
    }
  }
}

TEST_F(Help, EveryOptionHasADescriptionAndAValueText) {
  for (const CommandApp* command : all_commands(*program_)) {
    for (const CLI::Option* option : command->get_options()) {
      EXPECT_NE(option->get_description(), "") << option->get_name();
      const bool takes_value = option->get_items_expected_max() > 0;
      EXPECT_EQ(takes_value, !option->get_option_text().empty()) << option->get_name();
    }
  }
}

TEST_F(Help, OptionsNameTheirRequirementsAndEnvironment) {
  const auto* const check = program_->get_subcommand("check");
  const std::string text = help_text(description_of(dynamic_cast<const CommandApp&>(*check)));
  EXPECT_THAT(text, HasSubstr("environment: $WARPCHECK_HISTORY"));
  EXPECT_THAT(text, HasSubstr("--resume"));
  EXPECT_THAT(text, HasSubstr("requires --history"));
}

TEST_F(Help, HiddenCommandsAndOptionsAreNotListed) {
  EXPECT_THAT(help_text(description_of(*program_)), Not(HasSubstr("\n  complete ")));
  EXPECT_THAT(help_text(description_of(*program_)), HasSubstr("\n  check "));
  const auto* const fuzz = program_->get_subcommand("fuzz");
  const std::string text = help_text(description_of(dynamic_cast<const CommandApp&>(*fuzz)));
  EXPECT_THAT(text, HasSubstr("--minimize"));
  EXPECT_THAT(text, Not(HasSubstr("--minimise")));
}

TEST(HelpText, TooLongWordsHaveALineOfTheirOwn) {
  EXPECT_EQ(wrapped("one two " + std::string(12, 'x') + " three", 2, 10),
            "  one two\n  xxxxxxxxxxxx\n  three\n");
  EXPECT_EQ(wrapped("", 4), "");
}

TEST(ManPage, SpecialCharactersAreEscaped) {
  Description description;
  description.name = "tool sub";
  description.summary = "a summary";
  description.usage = "tool sub [OPTIONS]";
  description.about = ".cu files with 'quotes' and \\backslashes";
  description.sections = {{"Options", {{"--long-name FILE", "a file"}}}};
  const std::string page = man_page(description, {"tool"}, "2026-01-31");
  EXPECT_THAT(page, HasSubstr(".TH TOOL\\-SUB 1 \"2026-01-31\""));
  EXPECT_THAT(page, HasSubstr("\n\\&.cu files with \\(aqquotes\\(aq and \\ebackslashes\n"));
  EXPECT_THAT(page, HasSubstr(".SH OPTIONS\n.TP\n.B \\-\\-long\\-name FILE\na file\n"));
  EXPECT_THAT(page, HasSubstr(".SH SEE ALSO\n.BR tool (1)\n"));
}

}  // namespace
}  // namespace warpcheck::cli

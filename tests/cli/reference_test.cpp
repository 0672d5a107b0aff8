// Compares lists in the docs with those of the program.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "cli/help/description.hpp"
#include "cli/options/program.hpp"
#include "properties/law.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::cli {
namespace {

using testing::HasSubstr;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Reference, PageOfPropertiesListsExactlyTheProperties) {
  const std::string page = read_input(WARPCHECK_SOURCE_DIR "/docs/properties.md");
  for (const properties::Law& property : properties::laws()) {
    EXPECT_THAT(page,
                HasSubstr(fmt::format("\n| `{}` | {} |\n", property.name, property.sentence)));
  }
  const std::string table = page.substr(0, page.find("\n\n", page.find("\n| `")));
  EXPECT_EQ(count(table, "\n| `"), properties::laws().size());
}

/// "`check`, `diff`"
std::string in_code(std::string_view words) {
  std::string text;
  for (const auto word : workflows::settings::words_of(words, ' ')) {
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", word);
  }
  return text;
}

/// The rows of the page of the options.
std::string rows_of_options() {
  std::string rows;
  for (const auto& option : workflows::settings::options()) {
    for (const auto& use : option.uses) {
      if (use.help.empty()) continue;
      std::string shown = fmt::format("{}{}{}", option.name, option.value.text.empty() ? "" : " ",
                                      option.value.text);
      for (auto at = shown.find('|'); at != shown.npos; at = shown.find('|', at + 2)) {
        shown.insert(at, "\\");
      }
      rows += fmt::format("| `{}` | {} | {}{} |\n", shown, in_code(use.commands), use.help,
                          use.usual.empty() ? "" : fmt::format(" ({})", use.usual));
    }
  }
  return rows;
}

TEST(Reference, PageOfOptionsListsExactlyTheTable) {
  const std::string page = read_input(WARPCHECK_SOURCE_DIR "/docs/options.md");
  const std::string rows = rows_of_options();
  EXPECT_THAT(page, HasSubstr("\n|---|---|---|\n" + rows + "\n"));
}

TEST(Reference, PagesNameTheOptionsByEffectAndPolicy) {
  const std::string page = read_input(WARPCHECK_SOURCE_DIR "/docs/options.md");
  const std::string gate = read_input(WARPCHECK_SOURCE_DIR "/docs/gate.md");
  std::string cases;
  std::string verdicts;
  for (const auto& option : workflows::settings::options()) {
    const std::string name = fmt::format("`{}`", option.name.substr(0, option.name.find(' ')));
    const auto policy = is_report(option) ? option.name.substr(2) : option.policy;
    EXPECT_THAT(gate, HasSubstr(policy.empty() ? "" : fmt::format("`{}`", policy)));
    if (option.effect.key.empty() || option.name.empty()) continue;
    std::string& list = option.effect.on_verdicts ? verdicts : cases;
    if (list.find(name) == list.npos) list += (list.empty() ? "" : ", ") + name;
  }
  EXPECT_THAT(page, HasSubstr("\n- the cases: " + cases + "\n"));
  EXPECT_THAT(page, HasSubstr("\n- the verdict of a case: " + verdicts + "\n"));
}

TEST(Reference, ReadmeListsExactlyTheCommands) {
  const std::string readme = read_input(WARPCHECK_SOURCE_DIR "/README.md");
  const std::size_t begin = readme.find("## The command\n\n```text\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string list = readme.substr(begin, readme.find("\n```\n", begin) - begin);
  Command unused;
  const auto program = make_program(unused);
  for (const CommandApp* command : listed_commands(*program)) {
    EXPECT_THAT(list, HasSubstr("\nwarpcheck " + command->get_name() + " "));
  }
  EXPECT_EQ(count(list, "\nwarpcheck "), listed_commands(*program).size());
}

/// The words after "warpcheck" in the code of a page: in spans, and at the beginning of a line of a
/// block, with or without the prompt.
std::set<std::string> commands_of(const std::string& page) {
  static const std::regex kSpan("`warpcheck ([a-z][a-z-]*)[^`\n]*`");
  static const std::regex kLine("^(?:\\$ )?warpcheck ([a-z][a-z-]*)");
  std::set<std::string> words;
  bool in_block = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_block = !in_block;
    const std::regex& pattern = in_block ? kLine : kSpan;
    for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match)
      words.insert((*match)[1]);
  }
  return words;
}

TEST(Reference, EachCommandOfThePagesExists) {
  EXPECT_THAT(commands_of("`warpcheck chek x` or\n```text\n$ warpcheck rn\nwarpcheck fuz\n```\n"
                          "warpcheck does it\n"),
              testing::ElementsAre("chek", "fuz", "rn"));
  Command unused;
  const auto program = make_program(unused);
  std::set<std::string> commands;
  for (const CLI::App* command : program->get_subcommands([](const CLI::App*) { return true; }))
    commands.insert(command->get_name());
  std::size_t found = 0;
  for (const char* const folder : {"/", "/docs", "/examples", "/kernels/specimens"}) {
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(WARPCHECK_SOURCE_DIR) + folder)) {
      if (file.path().extension() != ".md") continue;
      for (const std::string& word : commands_of(read_input(file.path()))) {
        ++found;
        EXPECT_TRUE(commands.contains(word))
            << file.path().filename() << " names `warpcheck " << word << "`";
      }
    }
  }
  EXPECT_GT(found, 50U);
}

}  // namespace
}  // namespace warpcheck::cli

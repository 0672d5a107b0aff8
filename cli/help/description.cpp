#include "cli/help/description.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

namespace warpcheck::cli {
namespace {

/// "-v, --verbose"
std::string names(const CLI::Option& option) {
  std::vector<std::string> spellings;
  for (const std::string& name : option.get_snames()) spellings.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) spellings.push_back("--" + name);
  return fmt::format("{}", fmt::join(spellings, ", "));
}

std::string names(const std::set<CLI::Option*>& options) {
  std::set<std::string> spellings;  // sorted, so that the order does not depend on addresses
  for (const CLI::Option* option : options) spellings.insert(option->get_name());
  return fmt::format("{}", fmt::join(spellings, ", "));
}

HelpEntry entry_of(const CLI::Option& option) {
  HelpEntry entry;
  entry.term = option.get_positional() ? option.get_option_text() : names(option);
  if (!option.get_positional() && !option.get_option_text().empty()) {
    entry.term += " " + option.get_option_text();
  }
  entry.text = option.get_description();
  if (!option.get_needs().empty()) entry.text += "; requires " + names(option.get_needs());
  if (!option.get_excludes().empty()) entry.text += "; excludes " + names(option.get_excludes());
  if (!option.get_envname().empty()) entry.text += "; environment: $" + option.get_envname();
  return entry;
}

HelpSection& section(std::vector<HelpSection>& sections, const std::string& title) {
  const auto found =
      std::find_if(sections.begin(), sections.end(),
                   [&](const HelpSection& candidate) { return candidate.title == title; });
  return found == sections.end() ? sections.emplace_back(HelpSection{title, {}}) : *found;
}

std::string usage_of(const CommandApp& command, const std::string& name) {
  std::string usage = name + " [OPTIONS]";
  for (const CLI::Option* option : positionals(command)) {
    const std::string& text = option->get_option_text();
    usage += option->get_required() ? " " + text : " [" + text + "]";
  }
  if (!listed_commands(command).empty()) usage += " COMMAND ...";
  return usage;
}

}  // namespace

std::vector<const CommandApp*> listed_commands(const CommandApp& program) {
  std::vector<const CommandApp*> commands;
  for (const CLI::App* app : program.get_subcommands(nullptr)) {
    const auto* command = dynamic_cast<const CommandApp*>(app);
    if (command != nullptr && !command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

std::vector<const CLI::Option*> named_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->nonpositional() && !option->get_group().empty();  // hidden options have no group
  });
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

Description description_of(const CommandApp& command) {
  Description description;
  const CLI::App* const parent = command.get_parent();
  description.name = (parent == nullptr ? "" : parent->get_name() + " ") + command.get_name();
  description.summary = command.get_description();
  description.usage = usage_of(command, description.name);
  description.about = command.about;

  std::vector<HelpSection>& sections = description.sections;
  for (const CommandApp* listed : listed_commands(command)) {
    section(sections, "Commands")
        .entries.push_back({listed->get_name(), listed->get_description()});
  }
  for (const CLI::Option* option : positionals(command)) {
    section(sections, "Arguments").entries.push_back(entry_of(*option));
  }
  for (const CLI::Option* option : named_options(command)) {
    section(sections, option->get_group()).entries.push_back(entry_of(*option));
  }
  if (!command.examples.empty()) sections.push_back({kExamples, command.examples});
  sections.push_back({"Exit status",
                      {{"0", command.status_0},
                       {"1", command.status_1},
                       {"2", "an error in the usage, contract, case line or source"},
                       {"3",
                        "this machine or device cannot do it: no GPU for --device cuda, no nvcc, "
                        "or an unsupported "
                        "instruction and nothing else wrong"}}});
  if (!command.status_130.empty()) {
    sections.back().entries.push_back({"130", command.status_130});
  }
  sections.insert(sections.end(), command.further.begin(), command.further.end());
  return description;
}

}  // namespace warpcheck::cli

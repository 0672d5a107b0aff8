#include "cli/help/completion.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "cli/help/description.hpp"

namespace warpcheck::cli {
namespace {

using Words = std::vector<std::string>;

/// The words of "CASE|FILE", "TARGET..." or "OLD NEW".
Words words_of(const std::string& text) {
  Words words(1);
  for (const char character : text) {
    if (character == '|' || character == ' ') {
      words.emplace_back();
    } else if (character != '.') {
      words.back() += character;
    }
  }
  return words;
}

bool is_literal(const std::string& word) {
  return std::none_of(word.begin(), word.end(),
                      [](unsigned char letter) { return std::isupper(letter) != 0; });
}

void append(std::vector<Candidate>& candidates, std::vector<Candidate> more) {
  for (Candidate& candidate : more) candidates.push_back(std::move(candidate));
}

/// Candidates for the value of an option, or for an argument.
std::vector<Candidate> values_of(const CLI::Option& option, const KnownNames& known) {
  const std::set<std::string> targets = {"TARGET", "OLD", "NEW"};
  const std::set<std::string> files = {"FILE", "PATH", "FROM", "TO"};
  std::vector<Candidate> candidates;
  bool takes_targets = false;
  bool takes_files = false;
  bool takes_folders = false;
  for (const std::string& word : words_of(option.get_option_text())) {
    if (is_literal(word)) candidates.push_back({word, ""});
    if (word == "PROPERTY") append(candidates, known.properties());
    takes_targets |= targets.count(word) != 0;
    takes_files |= files.count(word) != 0;
    takes_folders |= word == "FOLDER";
  }
  if (takes_targets) append(candidates, known.variants());
  if (takes_targets || takes_files) {
    candidates.push_back({":files", ""});
  } else if (takes_folders) {
    candidates.push_back({":folders", ""});
  }
  return candidates;
}

bool takes_value(const CLI::Option& option) { return !option.get_option_text().empty(); }

/// The option with this name, "--json" or "-v"; null if there is none.
const CLI::Option* option_named(const CommandApp& command, const std::string& word) {
  for (const CLI::Option* option : named_options(command)) {
    if (word.starts_with('-') && option->check_name(word)) return option;
  }
  return nullptr;
}

std::vector<Candidate> options_of(const CommandApp& command, const Words& before) {
  std::vector<Candidate> candidates;
  for (const CLI::Option* option : named_options(command)) {
    const bool given = std::any_of(before.begin(), before.end(), [&](const std::string& word) {
      return option_named(command, word) == option;
    });
    const bool repeatable = takes_value(*option) && option->get_items_expected_max() > 1;
    if (given && !repeatable) continue;
    for (const std::string& name : option->get_lnames()) {
      candidates.push_back({"--" + name, option->get_description()});
    }
  }
  return candidates;
}

/// Candidates for the first argument that is not given yet; the last argument may be repeated.
std::vector<Candidate> arguments_of(const CommandApp& command, const Words& before,
                                    const KnownNames& known) {
  std::size_t given = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (const CLI::Option* option = option_named(command, before[i])) {
      i += takes_value(*option) ? 1 : 0;
    } else if (!before[i].starts_with("--")) {
      ++given;
    }
  }
  for (const CLI::Option* argument : positionals(command)) {
    const auto most = static_cast<std::size_t>(argument->get_items_expected_max());
    if (given < most) return values_of(*argument, known);
    given -= most;
  }
  return {};
}

std::vector<Candidate> subcommands_of(const CommandApp& program) {
  std::vector<Candidate> candidates;
  for (const CommandApp* command : listed_commands(program)) {
    candidates.push_back({command->get_name(), command->get_description()});
  }
  return candidates;
}

const CommandApp* subcommand_named(const CommandApp& program, const std::string& name) {
  for (const CommandApp* command : listed_commands(program)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::vector<Candidate> candidates_after(const CommandApp& program, Words before,
                                        const std::string& prefix, const KnownNames& known) {
  if (before.empty()) {
    return prefix.starts_with('-') ? options_of(program, before) : subcommands_of(program);
  }
  const CommandApp* const command = subcommand_named(program, before.front());
  if (command == nullptr) return {};
  before.erase(before.begin());
  const bool only_arguments = std::find(before.begin(), before.end(), "--") != before.end();
  if (!only_arguments) {
    const CLI::Option* const option =
        before.empty() ? nullptr : option_named(*command, before.back());
    if (option != nullptr && takes_value(*option)) return values_of(*option, known);
    if (prefix.starts_with('-')) return options_of(*command, before);
  }
  return arguments_of(*command, before, known);
}

}  // namespace

std::vector<Candidate> complete(const CommandApp& program, Words words, const KnownNames& known) {
  std::erase(words, "=");  // bash splits --device=virtual into three words
  const std::string prefix = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  std::vector<Candidate> candidates = candidates_after(program, words, prefix, known);
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return !candidate.text.starts_with(':') && !candidate.text.starts_with(prefix);
  });
  return candidates;
}

}  // namespace warpcheck::cli

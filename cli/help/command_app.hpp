// A command of the program with the text of its help. The help, the manual pages and the shell
// completions are generated from it.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace warpcheck::cli {

/// An entry of a help section: a term and its meaning, such as an example or an exit status.
struct HelpEntry {
  std::string term;
  std::string text;
};

struct HelpSection {
  std::string title;
  std::vector<HelpEntry> entries;
};

class CommandApp : public CLI::App {
 public:
  /// `summary`: one line, for the list of commands.
  CommandApp(const std::string& name, const std::string& summary);

  /// The description, in a few sentences.
  std::string about;
  std::vector<HelpEntry> examples;
  /// The meanings of the exit statuses 0 and 1. Statuses 2 and 3 mean the same for all commands.
  std::string status_0 = "everything passed";
  std::string status_1 = "findings";
  std::string status_130;            // empty: a signal ends the process
  std::vector<HelpSection> further;  // additional sections
};

/// Adds a subcommand. `hidden`: no list shows it, because only scripts call it.
CommandApp& add_command(CLI::App& app, const std::string& name, const std::string& summary,
                        bool hidden = false);

/// During its lifetime, options that are added to the command have this title in the help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& command, const std::string& title);
  // CLI11 throws for an invalid title; the previous title was valid.
  ~OptionGroup();  // NOLINT(bugprone-exception-escape)
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;

 private:
  CLI::App& command_;
  std::string before_;
};

}  // namespace warpcheck::cli

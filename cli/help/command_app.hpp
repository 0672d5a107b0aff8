// A command of the program with what its help tells beside its options. The help text, the manual
// pages and the completions of shells are all made from it.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace warpcheck::cli {

/// A line of a section of help: an example with what it does, an exit status with what it means.
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

  /// What it does, in a few sentences.
  std::string about;
  std::vector<HelpEntry> examples;
  /// What 0 and 1 mean where that is not what they mean of `check`; 2 and 3 are everywhere alike.
  std::string status_0 = "everything asked passed";
  std::string status_1 = "findings";
  std::vector<HelpSection> further;  // sections of its own
};

/// A subcommand of `app`. Where `hidden`, no list names it: it is for scripts, not for people.
CommandApp& add_command(CLI::App& app, const std::string& name, const std::string& summary,
                        bool hidden = false);

/// The options that are added to a command while this lives stand under a title of their own.
class OptionGroup {
 public:
  OptionGroup(CLI::App& command, const std::string& title);
  // CLI11 refuses a bad title by throwing; this one has been there before.
  ~OptionGroup();  // NOLINT(bugprone-exception-escape)
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;

 private:
  CLI::App& command_;
  std::string before_;
};

}  // namespace warpcheck::cli

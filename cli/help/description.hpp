// The description of a command, in the order in which help and manual pages print it.
#pragma once

#include <string>
#include <vector>

#include "cli/help/command_app.hpp"

namespace warpcheck::cli {

struct Description {
  std::string name;     // "warpcheck check"
  std::string summary;  // one line, no period
  std::string usage;    // "warpcheck check [OPTIONS] [TARGET...]"
  std::string about;    // sentences; may be empty
  std::vector<HelpSection> sections;
};

inline constexpr const char* kExamples = "Examples";  // the section whose terms are command lines

[[nodiscard]] Description description_of(const CommandApp& command);

/// The subcommands that are not hidden, in their order.
[[nodiscard]] std::vector<const CommandApp*> listed_commands(const CommandApp& program);

/// The visible options with a name, and the arguments without one, in their order.
[[nodiscard]] std::vector<const CLI::Option*> named_options(const CLI::App& command);
[[nodiscard]] std::vector<const CLI::Option*> positionals(const CLI::App& command);

}  // namespace warpcheck::cli

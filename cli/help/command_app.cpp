#include "cli/help/command_app.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/help/description.hpp"
#include "cli/help/help_text.hpp"

namespace warpcheck::cli {

CommandApp::CommandApp(const std::string& name, const std::string& summary)
    : CLI::App(summary, name) {
  set_help_flag("-h,--help", "print this help and exit");
  formatter_fn([](const CLI::App* app, const std::string&, CLI::AppFormatMode) {
    return help_text(description_of(dynamic_cast<const CommandApp&>(*app)));
  });
}

CommandApp& add_command(CLI::App& app, const std::string& name, const std::string& summary,
                        bool hidden) {
  const auto command = std::make_shared<CommandApp>(name, summary);
  if (hidden) command->group("");
  app.add_subcommand(command);
  return *command;
}

OptionGroup::OptionGroup(CLI::App& command, const std::string& title)
    : command_(command), before_(command.option_defaults()->get_group()) {
  command.option_defaults()->group(title);
}

// NOLINTNEXTLINE(bugprone-exception-escape)
OptionGroup::~OptionGroup() { command_.option_defaults()->group(before_); }

}  // namespace warpcheck::cli

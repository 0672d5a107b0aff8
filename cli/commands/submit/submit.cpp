#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/options/shell.hpp"
#include "workflows/submit/campaign_folder.hpp"
#include "workflows/submit/slurm.hpp"

namespace warpcheck::cli {
namespace {

namespace fs = std::filesystem;

/// Options that belong to one shard or to the merged report, or that depend on the time.
constexpr std::array<std::string_view, 13> kRefused = {
    "--shard",  "--history", "--resume",   "--time", "--json",         "--junit",        "--sarif",
    "--gitlab", "--html",    "--markdown", "--lcov", "--min-coverage", "--fail-on-drift"};

/// Throws InputError unless `check` accepts the arguments and each shard can.
void require_check_arguments(const SubmitCommand& command) {
  std::vector<const char*> words = {"warpcheck", "check"};
  for (const std::string& word : command.check) {
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    for (const std::string_view refused : kRefused) {
      if (name != refused) continue;
      throw InputError(Diagnostic{
          {"submit", 0, 0}, fmt::format("found {}, which a shard cannot have", refused), {}});
    }
    words.push_back(word.c_str());
  }
  if (!std::holds_alternative<CheckCommand>(
          parse_arguments(static_cast<int>(words.size()), words.data()))) {
    throw InputError(Diagnostic{{"submit", 0, 0}, "expected arguments of `warpcheck check`", {}});
  }
}

void write_scripts(const SubmitCommand& command, const fs::path& folder) {
  require_check_arguments(command);
  std::string check;
  for (const std::string& word : command.check) {
    check += (check.empty() ? "" : " ") + shell_word(word);
  }
  workflows::submit::write_campaign(
      folder, {.program = shell_word(fs::read_symlink("/proc/self/exe").string()),
               .name = shell_word(command.common.program),
               .check = check,
               .working_folder = shell_word(fs::current_path().string()),
               .folder = shell_word(folder.string()),
               .shards = command.shards});
}

}  // namespace

int run(const SubmitCommand& command) {
  const fs::path folder = fs::absolute(command.folder).lexically_normal();
  if (!command.resume) write_scripts(command, folder);
  const std::vector<unsigned> shards = workflows::submit::unfinished_shards(folder);
  std::cout << fmt::format("{}: {} shards to run\n", command.folder, shards.size());
  if (command.slurm) {
    const workflows::submit::SlurmJobs jobs = workflows::submit::submit_to_slurm(folder, shards);
    if (!jobs.array.empty()) std::cout << fmt::format("shards: Slurm job {}\n", jobs.array);
    std::cout << fmt::format("merge: Slurm job {}\n", jobs.merge);
  }
  return kPassed;
}

}  // namespace warpcheck::cli

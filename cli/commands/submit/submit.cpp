#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/text/shell_word.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/exit_status.hpp"
#include "workflows/submit/campaign_folder.hpp"
#include "workflows/submit/kubernetes.hpp"
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

/// Throws InputError if --volume is not CLAIM:PATH with an absolute path.
workflows::submit::PodOptions pod_options(const SubmitCommand& command) {
  const std::size_t colon = std::min(command.volume.find(':'), command.volume.size());
  const fs::path mount = command.volume.substr(std::min(colon + 1, command.volume.size()));
  if (colon == 0 || !mount.is_absolute()) {
    throw InputError(Diagnostic{
        {"submit", 0, 0},
        fmt::format("--volume: expected CLAIM:PATH, such as data:/data, found {}", command.volume),
        {}});
  }
  // A trailing slash would be an element of its own.
  return {command.image, command.volume.substr(0, colon),
          (mount / "").lexically_normal().parent_path()};
}

void write_kubernetes(const SubmitCommand& command, const fs::path& folder,
                      const std::vector<unsigned>& shards) {
  const auto written = workflows::submit::write_manifests(folder, shards, pod_options(command));
  if (written.shards) {
    std::cout << fmt::format("shards: kubectl create -f {}\n",
                             shell_word(written.shards->string()));
  }
  std::cout << fmt::format("merge, when they have ended: kubectl create -f {}\n",
                           shell_word(written.merge.string()));
}

/// Throws InputError, before any file is written, if pods would not see the files.
void require_mounted_folders(const SubmitCommand& command, const fs::path& folder) {
  const workflows::submit::PodOptions options = pod_options(command);
  workflows::submit::require_mounted(folder, options);
  if (!command.resume) workflows::submit::require_mounted(fs::current_path(), options);
}

}  // namespace

int run(const SubmitCommand& command) {
  const fs::path folder = fs::absolute(command.folder).lexically_normal();
  if (command.kubernetes) require_mounted_folders(command, folder);
  if (!command.resume) write_scripts(command, folder);
  const std::vector<unsigned> shards = workflows::submit::unfinished_shards(folder);
  std::cout << fmt::format("{}: {} shards to run\n", command.folder, shards.size());
  if (command.slurm) {
    const workflows::submit::SlurmJobs jobs = workflows::submit::submit_to_slurm(folder, shards);
    if (!jobs.array.empty()) std::cout << fmt::format("shards: Slurm job {}\n", jobs.array);
    std::cout << fmt::format("merge: Slurm job {}\n", jobs.merge);
  }
  if (command.kubernetes) write_kubernetes(command, folder, shards);
  return kPassed;
}

}  // namespace warpcheck::cli

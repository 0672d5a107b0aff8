#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/text/shell_word.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/exit_status.hpp"
#include "workflows/gate/policy_file.hpp"
#include "workflows/settings/table.hpp"
#include "workflows/submit/campaign_folder.hpp"
#include "workflows/submit/kubernetes.hpp"
#include "workflows/submit/slurm.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Options, besides the files of reports, that belong to one shard or to the merged report, or that
/// depend on the time.
constexpr std::array<std::string_view, 6> kRefusedOfCheck = {
    "--shard", "--history", "--resume", "--time", "--min-coverage", "--fail-on-drift"};
constexpr std::array<std::string_view, 3> kRefusedOfFuzz = {"--unguided", "--minimize",
                                                            "--minimise"};
constexpr std::array<std::string_view, 3> kRefusedOfGate = {"--shard", "--history", "--merge"};

std::string_view option_in(std::string_view word) { return word.substr(0, word.find('=')); }

void refuse_options(const char* command, const Words& words,
                    std::span<const std::string_view> refused) {
  for (const std::string& word : words) {
    const auto names_report = [&](const workflows::settings::Option& option) {
      return is_report(option) && use_in(option, command) != nullptr &&
             option.name == option_in(word);
    };
    if (std::ranges::none_of(workflows::settings::options(), names_report) &&
        std::ranges::find(refused, option_in(word)) == refused.end()) {
      continue;
    }
    throw InputError(Diagnostic{
        {"submit", 0, 0}, fmt::format("found {}, which a shard cannot have", option_in(word)), {}});
  }
}

/// The arguments of the command as that command reads them. Throws InputError unless it accepts
/// them.
template <class Parsed>
Parsed parsed(const char* command, const Words& words) {
  std::vector<const char*> all = {"warpcheck", command};
  for (const std::string& word : words) all.push_back(word.c_str());
  Command found = parse_arguments(static_cast<int>(all.size()), all.data());
  if (auto* const known = std::get_if<Parsed>(&found)) return std::move(*known);
  throw InputError(Diagnostic{
      {"submit", 0, 0},
      fmt::format("expected arguments of `warpcheck {}` after `--`, and those of submit before it",
                  command),
      {}});
}

/// The words without these options, each of which has a value.
Words without(const Words& words, std::initializer_list<std::string_view> options) {
  Words rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::find(options.begin(), options.end(), option_in(words[i])) == options.end()) {
      rest.push_back(words[i]);
    } else if (option_in(words[i]) == words[i]) {
      ++i;  // the value
    }
  }
  return rest;
}

/// Checks the words and returns the command that the shards run, with its arguments.
workflows::submit::Campaign campaign_of(const Words& all) {
  using workflows::submit::Work;
  workflows::submit::Campaign campaign;
  const std::string command = all.empty() ? "" : all.front();
  const bool is_named = command == "check" || command == "fuzz" || command == "gate";
  Words words(all.begin() + (is_named ? 1 : 0), all.end());
  if (command == "fuzz") {
    refuse_options("fuzz", words, kRefusedOfFuzz);
    const auto search = parsed<FuzzCommand>("fuzz", words);
    workflows::targets::require_known(search.targets);
    campaign.work = Work::fuzz;
    campaign.fuzz.seed = search.common.campaign.seed;
    if (without(words, {"--corpus"}) != words) campaign.fuzz.corpus = shell_word(search.corpus);
    words = without(words, {"--seed", "--corpus"});
  } else if (command == "gate") {
    refuse_options("gate", words, kRefusedOfGate);
    const auto gate = parsed<GateCommand>("gate", words);
    campaign.work = Work::gate;
    workflows::gate::require_no_time_limit(workflows::gate::read_policy(gate.policy));
  } else {
    refuse_options("check", words, kRefusedOfCheck);
    workflows::targets::require_known(parsed<CheckCommand>("check", words).targets);
  }
  for (const std::string& word : words) {
    campaign.arguments += (campaign.arguments.empty() ? "" : " ") + shell_word(word);
  }
  return campaign;
}

void write_scripts(const SubmitCommand& command, const fs::path& folder) {
  workflows::submit::Campaign campaign = campaign_of(command.check);
  campaign.program = shell_word(fs::read_symlink("/proc/self/exe").string());
  campaign.name = shell_word(command.common.program);
  campaign.working_folder = shell_word(fs::current_path().string());
  campaign.folder = shell_word(folder.string());
  campaign.shards = command.shards;
  workflows::submit::write_campaign(folder, campaign);
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

void submit_slurm(const SubmitCommand& command, const fs::path& folder,
                  const std::vector<unsigned>& shards) {
  try {
    const workflows::submit::SlurmJobs jobs = workflows::submit::submit_to_slurm(folder, shards);
    if (!jobs.array.empty()) std::cout << fmt::format("shards: Slurm job {}\n", jobs.array);
    std::cout << fmt::format("merge: Slurm job {}\n", jobs.merge);
  } catch (const EnvironmentError& error) {
    throw EnvironmentError(fmt::format(
        "{}\nThe scripts are written; after a correction, `submit --slurm --resume -o {}` submits "
        "them. sbatch takes SBATCH_PARTITION, SBATCH_TIMELIMIT and others from the environment",
        error.what(), shell_word(command.folder)));
  }
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

/// Throws InputError, before any file is written, if pods could not access the files.
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
  if (command.slurm) submit_slurm(command, folder, shards);
  if (command.kubernetes) write_kubernetes(command, folder, shards);
  return kPassed;
}

}  // namespace warpcheck::cli

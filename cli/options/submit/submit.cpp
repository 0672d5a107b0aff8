#include "cli/help/command_app.hpp"
#include "cli/options/options.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {
namespace {

void add_schedulers(CommandApp& command, SubmitCommand& submit) {
  auto* const slurm = command.add_flag("--slurm", submit.slurm, "submit the scripts with sbatch");
  auto* const image =
      command
          .add_option("--image", submit.image, "with --kubernetes: image with warpcheck on PATH")
          ->option_text("IMAGE");
  auto* const volume = command
                           .add_option("--volume", submit.volume,
                                       "with --kubernetes: PersistentVolumeClaim, and the path of "
                                       "its volume on this machine and in the pods")
                           ->option_text("CLAIM:PATH");
  auto* const kubernetes =
      command
          .add_flag("--kubernetes", submit.kubernetes,
                    "write manifests of an Indexed Job and of the job that merges")
          ->excludes(slurm)
          ->needs(image)
          ->needs(volume);
  image->needs(kubernetes);
  volume->needs(kubernetes);
  command.add_flag("--plain", submit.plain, "write the scripts only (the default)")
      ->excludes(slurm)
      ->excludes(kubernetes);
}

}  // namespace

void add_submit(CLI::App& app, Command& chosen) {
  CommandApp& command = add_command(app, "submit", "run the shards of a campaign as jobs");
  command.about =
      "Prepares a folder in which each shard of a campaign of `check`, `gate` or `fuzz` runs as a "
      "job, with scripts for any scheduler and manifests for Kubernetes, or submits the jobs to "
      "Slurm. A last job merges the shards to one report. For `check` and `gate` it is that of a "
      "single process, except for times; the last job also measures the mutation scores of a gate. "
      "For `fuzz`, each shard searches with a seed and a corpus of its own, and the report has the "
      "findings of the merged corpus.";
  command.examples = {
      {"warpcheck submit --slurm --shards 16 -o /shared/run -- mine.cu",
       "submit 16 tasks and the job that merges them; sbatch reads its SBATCH_ variables"},
      {"warpcheck submit --slurm -o /shared/run --resume", "submit the shards that did not finish"},
      {"warpcheck submit --kubernetes --image IMAGE --volume data:/data -o run -- a.cu",
       "write the manifests of two Jobs for `kubectl create -f`"},
      {"warpcheck submit --slurm -o /shared/gate -- gate nightly.toml",
       "run the cases of a gate in 16 tasks; the last job decides"},
      {"warpcheck submit --slurm -o /shared/search -- fuzz mine.cu --time 1h",
       "search in 16 tasks, each with a seed and a corpus of its own"},
      {"warpcheck submit --plain --shards 4 -o run -- mine.cu",
       "write the scripts for another scheduler"},
  };
  command.status_0 = "the scripts were written; with --slurm, the jobs were submitted";
  SubmitCommand& submit = chosen_by<SubmitCommand>(command, chosen);
  auto* const arguments =
      command
          .add_option("arguments", submit.check,
                      "targets and options of `warpcheck check`; or `gate` or `fuzz` and its own")
          ->option_text("-- ARGUMENTS...");
  add_schedulers(command, submit);
  auto& shards = add_parsed(
      command, "--shards", submit.shards, parse_integer<unsigned, 2, kMostShards>,
      "a number from 2 to 65536 (one shard is the command itself)", "number of shards (16)");
  shards.option_text("N");
  command
      .add_option("-o,--output", submit.folder, "folder of the campaign, which every job can write")
      ->required()
      ->option_text("FOLDER");
  command
      .add_flag("--resume", submit.resume,
                "submit the unfinished shards of the campaign in the folder")
      ->excludes(arguments)
      ->excludes(&shards);
}

}  // namespace warpcheck::cli

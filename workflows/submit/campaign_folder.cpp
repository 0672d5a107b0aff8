#include "workflows/submit/campaign_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "base/diagnostic.hpp"
#include "base/files.hpp"

namespace warpcheck::workflows::submit {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShards = "shards.txt";

// {0} the folder, {1} the folder of the targets, {2} the program, {3} the command that runs the
// shard, {4} the number of shards, {5} the name of the program in reports, {6} the arguments. The
// command exits with 0 or 1 if the shard is complete.
constexpr std::string_view kShardScript = R"(#!/bin/bash
# Runs one shard of the campaign: its number is the argument or that of the Slurm array task.
shard=${{1:-$SLURM_ARRAY_TASK_ID}}
base={0}/shards/$shard
case $(cat "$base.status" 2>/dev/null) in 0|1) exit 0 ;; esac
cd {1} || exit 3
program=${{WARPCHECK_PROGRAM:-{2}}}
{3} {6} >"$base.log" 2>&1
status=$?
echo $status >"$base.status"
[ $status -le 1 ] || exit $status
)";

constexpr std::string_view kCheck =
    R"("$program" check --history "$base.db" --resume --allow-empty --shard "$shard/{}")";

constexpr std::string_view kGate = R"("$program" gate --history "$base.db" --shard "$shard/{}")";

constexpr std::string_view kStartingCorpus =
    R"([ -e "$base.corpus" ] || "$program" merge {} -o "$base.corpus" >/dev/null || exit
)";
constexpr std::string_view kFuzz =
    R"("$program" fuzz --corpus "$base.corpus" --seed $(({} + shard - 1)))";

constexpr std::string_view kMergeScript = R"(#!/bin/bash
# Merges the shards and exits as one check of the whole campaign does.
cd {1} || exit 3
rm -f {0}/all.db {0}/report.jsonl
program=${{WARPCHECK_PROGRAM:-{2}}}
exec -a {5} "$program" merge {0}/shards/*.db -o {0}/all.db --json {0}/report.jsonl "$@"
)";

constexpr std::string_view kMergeGateScript = R"(#!/bin/bash
# Decides from all shards, and exits as one gate does.
cd {1} || exit 3
rm -f {0}/report.jsonl
program=${{WARPCHECK_PROGRAM:-{2}}}
exec -a {5} "$program" gate {6} --merge {0}/shards/*.db --json {0}/report.jsonl "$@"
)";

constexpr std::string_view kMergeCorporaScript = R"(#!/bin/bash
# Merges the corpora of the shards, runs the merged one, and exits as one search with its findings does.
cd {1} || exit 3
program=${{WARPCHECK_PROGRAM:-{2}}}
for shard in $(seq {4}); do
  case $(cat {0}/shards/$shard.status 2>/dev/null) in 0|1) continue ;; esac
  echo "shard $shard was not finished: submit --resume finishes it" >&2
  exit 2
done
rm -f {0}/report.jsonl
"$program" merge {0}/shards/*.corpus -o {0}/corpus || exit
exec -a {5} "$program" fuzz --corpus {0}/corpus --minimize {6} --json {0}/report.jsonl "$@"
)";

std::string shard_command(const Campaign& campaign) {
  switch (campaign.work) {
    case Work::check:
      return fmt::format(fmt::runtime(kCheck), campaign.shards);
    case Work::gate:
      return fmt::format(fmt::runtime(kGate), campaign.shards);
    case Work::fuzz:
      break;
  }
  const FuzzCampaign& fuzz = campaign.fuzz;
  const std::string start =
      fuzz.corpus.empty() ? "" : fmt::format(fmt::runtime(kStartingCorpus), fuzz.corpus);
  return start + fmt::format(fmt::runtime(kFuzz), fuzz.seed);
}

std::string_view merge_script(Work work) {
  switch (work) {
    case Work::check:
      return kMergeScript;
    case Work::fuzz:
      return kMergeCorporaScript;
    case Work::gate:
      return kMergeGateScript;
  }
  return {};
}

}  // namespace

void write_campaign(const fs::path& folder, const Campaign& campaign) {
  if (fs::exists(folder / kShards)) {
    throw file_error(folder, "found a campaign in this folder, expected none without --resume");
  }
  std::error_code failed;
  fs::create_directories(folder / "shards", failed);
  if (failed) {
    throw EnvironmentError(fmt::format("{}: the folder of the campaign cannot be made: {}",
                                       folder.string(), failed.message()));
  }
  const auto written = [&](std::string_view script) {
    return fmt::format(fmt::runtime(script), campaign.folder, campaign.working_folder,
                       campaign.program, shard_command(campaign), campaign.shards, campaign.name,
                       campaign.arguments);
  };
  write_file(folder / "shard.sh", written(kShardScript));
  write_file(folder / "merge.sh", written(merge_script(campaign.work)));
  std::string lines;
  for (unsigned shard = 1; shard <= campaign.shards; ++shard) {
    lines += fmt::format("bash {}/shard.sh {}\n", campaign.folder, shard);
  }
  write_file(folder / kShards, lines);
}

std::vector<unsigned> unfinished_shards(const fs::path& folder) {
  if (!fs::exists(folder / kShards)) {
    throw file_error(folder,
                     "found no campaign in this folder: submit without --resume begins one");
  }
  const std::string lines = read_input(folder / kShards);
  const auto shards = static_cast<unsigned>(std::count(lines.begin(), lines.end(), '\n'));
  std::vector<unsigned> unfinished;
  for (unsigned shard = 1; shard <= shards; ++shard) {
    const auto status = read_file(folder / "shards" / fmt::format("{}.status", shard));
    if (status != "0\n" && status != "1\n") unfinished.push_back(shard);
  }
  return unfinished;
}

}  // namespace warpcheck::workflows::submit

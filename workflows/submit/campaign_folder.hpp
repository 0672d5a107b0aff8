// The folder of a campaign whose shards run as separate jobs:
//
//   shard.sh         runs one shard, `bash shard.sh 3`; a finished shard does not run again
//   shards.txt       one shell line per shard
//   merge.sh         merges the shards to all.db and report.jsonl; its arguments go to `merge`, to
//                    `gate --merge`, or to `fuzz --minimize`, which runs the merged corpus
//   kubernetes-shards.json, kubernetes-merge.json  with --kubernetes: the manifests of the jobs
//   shards/3.db      the history of shard 3, or shards/3.corpus, its corpus and findings of `fuzz`
//   shards/3.status  the exit status of its last complete run
//   shards/3.log     its output
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck::workflows::submit {

/// The search of a campaign of `fuzz`. Shard I has the seed `seed` + I - 1.
struct FuzzCampaign {
  std::uint64_t seed = 0;
  std::string corpus;  // corpus from which every shard starts, a word for a shell; empty: none
};

enum class Work { check, fuzz, gate };

struct Campaign {
  Work work = Work::check;
  std::string program;         // a word for a shell; $WARPCHECK_PROGRAM replaces it in a job
  std::string name;            // name of the program in reports, a word for a shell
  std::string arguments;       // arguments of the command, as words for a shell
  std::string working_folder;  // a word for a shell; targets are relative to it
  std::string folder;          // this folder's absolute path, a word for a shell
  unsigned shards = 1;
  FuzzCampaign fuzz = {};
};

/// Writes shard.sh, shards.txt and merge.sh. Throws InputError if `folder` has a campaign already,
/// and EnvironmentError if a file cannot be written.
void write_campaign(const std::filesystem::path& folder, const Campaign& campaign);

/// The numbers of the shards that have not exited with 0 or 1, in ascending order. Throws
/// InputError if `folder` has no campaign.
[[nodiscard]] std::vector<unsigned> unfinished_shards(const std::filesystem::path& folder);

}  // namespace warpcheck::workflows::submit

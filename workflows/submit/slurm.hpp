// Jobs of Slurm.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck::workflows::submit {

struct SlurmJobs {
  std::string array;  // job number of the shards; empty: every shard had finished
  std::string merge;  // job number of merge.sh
};

/// Submits an array with a task for each of these shards, and a job that merges after all tasks
/// have ended. `folder`: absolute, with a campaign. Throws EnvironmentError if sbatch is missing or
/// fails.
[[nodiscard]] SlurmJobs submit_to_slurm(const std::filesystem::path& folder,
                                        const std::vector<unsigned>& shards);

}  // namespace warpcheck::workflows::submit

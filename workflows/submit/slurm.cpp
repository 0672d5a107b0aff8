#include "workflows/submit/slurm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostic.hpp"
#include "base/process/child_process.hpp"

namespace warpcheck::workflows::submit {
namespace {

/// Returns the number of the submitted job.
std::string sbatch(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"sbatch", "--parsable"});
  const ChildResult result = run_child(arguments);
  if (result.status != 0) {
    const std::string output = result.output.substr(0, result.output.find_last_not_of('\n') + 1);
    throw EnvironmentError(fmt::format("sbatch exited with {}: {}", result.status, output));
  }
  return result.output.substr(0, result.output.find_first_of(";\n"));  // "number;cluster"
}

}  // namespace

SlurmJobs submit_to_slurm(const std::filesystem::path& folder,
                          const std::vector<unsigned>& shards) {
  SlurmJobs jobs;
  std::vector<std::string> merge = {"--job-name=warpcheck-merge",
                                    "--output=" + (folder / "merge.log").string()};
  if (!shards.empty()) {
    jobs.array =
        sbatch({"--job-name=warpcheck", "--output=/dev/null",
                fmt::format("--array={}", fmt::join(shards, ",")), (folder / "shard.sh").string()});
    merge.push_back("--dependency=afterany:" + jobs.array);
  }
  merge.push_back((folder / "merge.sh").string());
  jobs.merge = sbatch(merge);
  return jobs;
}

}  // namespace warpcheck::workflows::submit

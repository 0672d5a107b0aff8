#include "workflows/submit/kubernetes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"
#include "base/files.hpp"

namespace warpcheck::workflows::submit {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kRetries = 3;  // retries of a shard whose pod was killed; each continues it

/// A pod that runs this command in the folder of the campaign.
Json pod(const fs::path& folder, const PodOptions& options, const Json& command) {
  const Json container = {
      {"name", "warpcheck"},
      {"image", options.image},
      {"command", command},
      {"workingDir", folder.string()},
      {"env", Json::array({{{"name", "WARPCHECK_PROGRAM"}, {"value", "warpcheck"}}})},
      {"volumeMounts",
       Json::array({{{"name", "campaign"}, {"mountPath", options.mount.string()}}})}};
  const Json volume = {{"name", "campaign"},
                       {"persistentVolumeClaim", {{"claimName", options.claim}}}};
  return {{"spec",
           {{"restartPolicy", "Never"},
            {"containers", Json::array({container})},
            {"volumes", Json::array({volume})}}}};
}

Json job(const char* name, Json spec) {
  return {{"apiVersion", "batch/v1"},
          {"kind", "Job"},
          {"metadata", {{"generateName", name}}},
          {"spec", std::move(spec)}};
}

/// A shard with a wrong input, or on a machine that cannot run it, is not tried again.
Json failure_policy() {
  const Json exits = {
      {"containerName", "warpcheck"}, {"operator", "In"}, {"values", Json::array({2, 3})}};
  return {{"rules", Json::array({{{"action", "FailIndex"}, {"onExitCodes", exits}}})}};
}

Json shards_job(const fs::path& folder, const std::vector<unsigned>& shards,
                const PodOptions& options) {
  const std::string script =
      fmt::format("shards=({}); exec bash ./shard.sh ${{shards[$JOB_COMPLETION_INDEX]}}",
                  fmt::join(shards, " "));
  return job("warpcheck-shards-",
             {{"completionMode", "Indexed"},
              {"completions", shards.size()},
              {"parallelism", shards.size()},
              {"backoffLimitPerIndex", kRetries},
              {"podFailurePolicy", failure_policy()},
              {"template", pod(folder, options, Json::array({"bash", "-c", script}))}});
}

Json merge_job(const fs::path& folder, const PodOptions& options) {
  return job("warpcheck-merge-",
             {{"backoffLimit", 0},
              {"template", pod(folder, options, Json::array({"bash", "./merge.sh"}))}});
}

}  // namespace

void require_mounted(const fs::path& folder, const PodOptions& options) {
  const auto [end, rest] =
      std::mismatch(options.mount.begin(), options.mount.end(), folder.begin(), folder.end());
  if (end == options.mount.end()) return;
  throw file_error(folder, fmt::format("expected a folder beneath {}, where pods have the volume",
                                       options.mount.string()));
}

KubernetesManifests write_manifests(const fs::path& folder, const std::vector<unsigned>& shards,
                                    const PodOptions& options) {
  require_mounted(folder, options);
  KubernetesManifests written;
  if (!shards.empty()) {
    written.shards = folder / "kubernetes-shards.json";
    write_file(*written.shards, shards_job(folder, shards, options).dump(2) + "\n");
  }
  written.merge = folder / "kubernetes-merge.json";
  write_file(written.merge, merge_job(folder, options).dump(2) + "\n");
  return written;
}

}  // namespace warpcheck::workflows::submit

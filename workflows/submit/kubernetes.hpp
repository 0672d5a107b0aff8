// Jobs of Kubernetes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck::workflows::submit {

struct PodOptions {
  std::string image;            // a container image with bash, and warpcheck on PATH
  std::string claim;            // name of the PersistentVolumeClaim
  std::filesystem::path mount;  // absolute path of its volume, on this machine and in each pod
};

struct KubernetesManifests {
  std::optional<std::filesystem::path> shards;  // empty: every shard had finished
  std::filesystem::path merge;
};

/// Writes the manifests of an Indexed Job with an index for each of these shards and of a Job that
/// merges, which has to start after the other one has ended. `folder`: absolute, with a campaign.
/// Throws InputError if it is outside the volume, and EnvironmentError if a file cannot be written.
[[nodiscard]] KubernetesManifests write_manifests(const std::filesystem::path& folder,
                                                  const std::vector<unsigned>& shards,
                                                  const PodOptions& options);

/// Throws InputError unless `folder` is the mounted folder or beneath it. Both are absolute.
void require_mounted(const std::filesystem::path& folder, const PodOptions& options);

}  // namespace warpcheck::workflows::submit

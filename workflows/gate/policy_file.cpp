#include "workflows/gate/policy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/closest_word.hpp"
#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "contract/kernel_source.hpp"

namespace warpcheck::workflows::gate {
namespace {

namespace fs = std::filesystem;

using targets::Target;

constexpr const char* kName = "warpcheck.toml";

/// The root of the repository that contains the current folder.
std::optional<fs::path> root_of_repository() {
  std::error_code ignored;
  for (fs::path folder = fs::current_path(); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", ignored)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

std::string find_policy(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return (fs::path(path) / kName).string();
  if (!path.empty() || fs::exists(kName, ignored)) return path.empty() ? kName : path;
  const auto root = root_of_repository();
  if (root && fs::exists(*root / kName, ignored)) {
    return fs::path(*root / kName).lexically_proximate(fs::current_path()).string();
  }
  throw InputError(Diagnostic{{kName, 0, 0},
                              fmt::format("no such file in the current folder{}: expected a policy "
                                          "there, or its path as an argument",
                                          root ? " or in the root of its repository" : ""),
                              {}});
}

void require_variants(const std::vector<std::string>& globs, const std::vector<Target>& targets,
                      const Location& where) {
  for (const std::string& glob : globs) {
    const bool any = std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
      return matches(glob, target.variant.contract.name);
    });
    if (any) continue;
    std::vector<std::string_view> names;
    for (const Target& target : targets) names.push_back(target.variant.contract.name);
    const auto near = nearest(glob, names);
    throw InputError(Diagnostic{where,
                                fmt::format("no variant of the gate matches '{}'{}", glob,
                                            near ? fmt::format(": did you mean '{}'?", *near) : ""),
                                {}});
  }
}

}  // namespace

GatePolicy read_policy(const std::string& path) {
  const std::string file = find_policy(path);
  if (contract::is_source(file)) {
    throw InputError(Diagnostic{{file, 0, 0},
                                "found a source, expected a policy such as warpcheck.toml; "
                                "`warpcheck check` takes sources",
                                {}});
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    throw InputError(
        Diagnostic{{file, 0, 0}, std::string("cannot be read: ") + std::strerror(errno), {}});
  }
  return parse_policy(utf8_input(file, text), file);
}

targets::ResolvedTargets policy_targets(const GatePolicy& policy,
                                        const contract::CompileProgress& progress) {
  std::vector<std::string> names;
  for (const std::string& target : policy.targets) {
    const std::string path = path_in_policy(policy, target);
    std::error_code ignored;
    const bool is_path = fs::exists(path, ignored) || target.find('/') != std::string::npos ||
                         contract::is_source(target);
    names.push_back(is_path ? path : target);
  }
  targets::ResolvedTargets resolved = targets::resolve_each_target(names, progress);
  std::vector<Target>& selected = resolved.targets;
  // The variants of a wrong file are not known, so a glob may match them.
  const bool complete = resolved.errors.empty();
  if (complete) require_variants(policy.variants, selected, policy.variants_where);
  std::erase_if(selected,
                [&](const Target& target) { return !policy.takes(target.variant.contract.name); });
  if (!complete) return resolved;
  for (const GateGroup& group : policy.groups) {
    require_variants(group.variants, selected, group.where);
  }
  for (const KnownFailure& known : policy.known_failures) {
    require_variants({known.variant}, selected, known.where);
  }
  return resolved;
}

std::string path_in_policy(const GatePolicy& policy, const std::string& path) {
  return (fs::path(policy.file).parent_path() / path).string();
}

}  // namespace warpcheck::workflows::gate

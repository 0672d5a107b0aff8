#include "workflows/targets/targets.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "base/closest_word.hpp"
#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/parallel_for.hpp"
#include "campaign/checks/reference.hpp"
#include "contract/compile/prebuilt.hpp"
#include "contract/source_files.hpp"

namespace warpcheck::workflows::targets {
namespace {

using contract::Variant;

bool exists(const std::string& path) {
  std::error_code ignored;  // a name too long for the file system is no file
  return std::filesystem::exists(path, ignored);
}

/// The name of a built-in variant has no dot.
bool names_a_path(const std::string& target) {
  return exists(target) || target.find_first_of("/.") != std::string::npos;
}

ResolvedTargets at_path(const std::string& path, const contract::CompileProgress& progress) {
  contract::FoundVariants found = contract::find_variants(path, progress);
  ResolvedTargets resolved;
  for (Variant& variant : found.variants) resolved.targets.push_back({std::move(variant), path});
  resolved.errors = std::move(found.errors);
  resolved.without_contract = std::move(found.without_contract);
  return resolved;
}

/// The built-in variants that a glob matches.
ResolvedTargets built_in(const std::string& glob) {
  contract::PrebuiltVariants known = contract::builtin_matching(
      [&](const std::string& name) { return fnmatch(glob.c_str(), name.c_str(), 0) == 0; });
  ResolvedTargets found;
  for (Variant& variant : known.variants) found.targets.push_back({std::move(variant), ""});
  if (!found.targets.empty()) return found;
  const std::vector<std::string_view> names(known.names.begin(), known.names.end());
  constexpr std::string_view kKind = "built-in variant, file or folder";
  std::string message =
      exists(glob + ".cu")
          ? fmt::format("unknown {} '{}': did you mean '{}.cu'?", kKind, glob, glob)
      : glob.find_first_of("*?[") == std::string::npos
          ? unknown(kKind, glob, names)
          : fmt::format("no built-in variant matches {}; `warpcheck list` names them", glob);
  found.errors.push_back({glob, {Diagnostic{{}, std::move(message), {}}}});
  return found;
}

/// The variants of a file or folder whose names a glob matches.
ResolvedTargets named_at_path(const std::string& path, const std::string& glob,
                              const contract::CompileProgress& progress) {
  ResolvedTargets found = at_path(path, progress);
  std::vector<std::string> names;
  for (const Target& target : found.targets) names.push_back(target.variant.contract.name);
  std::erase_if(found.targets, [&](const Target& target) {
    return fnmatch(glob.c_str(), target.variant.contract.name.c_str(), 0) != 0;
  });
  if (found.targets.empty() && found.errors.empty()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    found.errors.push_back(
        {path + ":" + glob, {Diagnostic{{path, 0, 0}, unknown("variant", glob, known), {}}}});
  }
  return found;
}

/// The file of a target "FILE:GLOB", if it is one.
std::optional<std::string> file_of_glob(const std::string& target) {
  const std::size_t colon = target.rfind(':');
  if (colon == std::string::npos || exists(target)) return std::nullopt;
  std::string file = target.substr(0, colon);
  return exists(file) ? std::optional(std::move(file)) : std::nullopt;
}

ResolvedTargets resolve(const std::string& target, const contract::CompileProgress& progress) {
  if (const auto file = file_of_glob(target)) {
    return named_at_path(*file, target.substr(file->size() + 1), progress);
  }
  return names_a_path(target) ? at_path(target, progress) : built_in(target);
}

/// Adds the targets that `all` does not contain. A variant may be named twice. Two variants may not
/// share a name, because a case line identifies its variant by name.
void add_targets(ResolvedTargets& all, std::vector<Target> more) {
  for (Target& target : more) {
    const std::string& name = target.variant.contract.name;
    const auto other =
        std::find_if(all.targets.begin(), all.targets.end(),
                     [&name](const Target& known) { return known.variant.contract.name == name; });
    if (other == all.targets.end()) {
      all.targets.push_back(std::move(target));
      continue;
    }
    const Location& here = target.variant.contract.where;
    const Location& there = other->variant.contract.where;
    if (here == there) continue;
    std::string message = fmt::format("a second variant is called {}; the first is at {}:{}", name,
                                      there.file, there.line);
    all.errors.push_back({name, {Diagnostic{here, std::move(message), {}}}});
  }
}

/// Adds what one target of several stands for. Two targets may hold the same file.
void add_resolved(ResolvedTargets& all, ResolvedTargets more) {
  add_targets(all, std::move(more.targets));
  for (contract::TargetError& error : more.errors) {
    const auto same = [&](const contract::TargetError& known) {
      return known.target == error.target && InputError(known.diagnostics).what() ==
                                                 std::string(InputError(error.diagnostics).what());
    };
    if (std::none_of(all.errors.begin(), all.errors.end(), same)) {
      all.errors.push_back(std::move(error));
    }
  }
  for (std::string& file : more.without_contract) {
    auto& known = all.without_contract;
    if (std::find(known.begin(), known.end(), file) == known.end())
      known.push_back(std::move(file));
  }
}

/// Moves the variants whose operation has no reference to the errors: one for each operation.
void require_references(ResolvedTargets& all) {
  std::vector<Target> complete;
  for (Target& target : all.targets) {
    const contract::Contract& contract = target.variant.contract;
    try {
      campaign::checks::require_reference(contract);
      complete.push_back(std::move(target));
    } catch (const InputError& error) {
      ResolvedTargets wrong;
      wrong.errors.push_back({target.path, error.diagnostics()});
      add_resolved(all, std::move(wrong));
    }
  }
  all.targets = std::move(complete);
}

}  // namespace

ResolvedTargets resolve_each_target(std::span<const std::string> targets,
                                    const contract::CompileProgress& progress,
                                    References references) {
  if (targets.empty()) return built_in("*");
  std::mutex mutex;
  std::size_t begun = 0;
  // The numbers are those of the targets if each target is a file.
  const auto counted = [&](const std::string& file, std::size_t number, std::size_t files) {
    if (!progress) return;
    const std::lock_guard lock(mutex);
    files == 1 ? progress(file, ++begun, targets.size()) : progress(file, number, files);
  };
  std::vector<ResolvedTargets> found(targets.size());
  const auto errors = parallel_try(targets.size(), 0,
                                   [&](std::size_t i) { found[i] = resolve(targets[i], counted); });
  ResolvedTargets all;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (errors[i]) std::rethrow_exception(errors[i]);
    add_resolved(all, std::move(found[i]));
  }
  if (references == References::in_contract) require_references(all);
  return all;
}

void throw_errors(const std::vector<contract::TargetError>& errors) {
  std::vector<Diagnostic> diagnostics;
  for (const contract::TargetError& error : errors) {
    diagnostics.insert(diagnostics.end(), error.diagnostics.begin(), error.diagnostics.end());
  }
  if (!diagnostics.empty()) throw InputError(std::move(diagnostics));
}

std::vector<Target> resolve_targets(std::span<const std::string> targets,
                                    const contract::CompileProgress& progress,
                                    References references) {
  ResolvedTargets resolved = resolve_each_target(targets, progress, references);
  throw_errors(resolved.errors);
  return std::move(resolved.targets);
}

void require_known(std::span<const std::string> targets) {
  std::vector<contract::TargetError> errors;
  for (const std::string& target : targets) {
    if (exists(target) || file_of_glob(target)) continue;
    if (names_a_path(target)) {
      for (contract::TargetError& error : contract::source_files(target).errors)
        errors.push_back(std::move(error));
    } else {
      for (contract::TargetError& error : built_in(target).errors)
        errors.push_back(std::move(error));
    }
  }
  throw_errors(errors);
}

std::vector<Variant> variants_of(std::span<const Target> targets) {
  std::vector<Variant> variants;
  variants.reserve(targets.size());
  for (const Target& target : targets) variants.push_back(target.variant);
  return variants;
}

}  // namespace warpcheck::workflows::targets

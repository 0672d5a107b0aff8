#include "workflows/targets/targets.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/closest_word.hpp"
#include "base/diagnostic.hpp"
#include "base/files.hpp"

namespace warpcheck::workflows::targets {
namespace {

using contract::Variant;

bool exists(const std::string& path) {
  std::error_code ignored;  // a name too long for the file system is no file
  return std::filesystem::exists(path, ignored);
}

bool names_a_path(const std::string& target) {
  return exists(target) || target.find('/') != std::string::npos || target.ends_with(".cu");
}

std::vector<Target> at_path(const std::string& path) {
  if (!exists(path)) {
    throw file_error(path, "no such file or folder");
  }
  std::vector<Target> found;
  for (Variant& variant : contract::variants_at(path)) found.push_back({std::move(variant), path});
  if (found.empty()) {
    throw file_error(path, "found no variant, expected one or more");
  }
  return found;
}

/// The built-in variants that a glob matches.
std::vector<Target> built_in(const std::string& glob) {
  const std::vector<Variant> variants = contract::builtin_variants();
  std::vector<Target> found;
  std::vector<std::string_view> names;
  for (const Variant& variant : variants) {
    const std::string& name = variant.contract.name;
    names.push_back(name);
    if (fnmatch(glob.c_str(), name.c_str(), 0) == 0) found.push_back({variant, ""});
  }
  if (!found.empty()) return found;
  throw InputError(Diagnostic{
      {},
      glob.find_first_of("*?[") == std::string::npos
          ? unknown("built-in variant, file or folder", glob, names)
          : fmt::format("no built-in variant matches {}; `warpcheck list` names them", glob),
      {}});
}

/// Adds the targets that `all` does not contain. A variant may be named twice. Two variants may not
/// share a name, because a case line identifies its variant by name.
void add(std::vector<Target>& all, std::vector<Target> more) {
  for (Target& target : more) {
    const auto same_name = [&target](const Target& other) {
      return other.variant.contract.name == target.variant.contract.name;
    };
    const auto other = std::find_if(all.begin(), all.end(), same_name);
    if (other == all.end()) {
      all.push_back(std::move(target));
      continue;
    }
    const Location& here = target.variant.contract.where;
    const Location& there = other->variant.contract.where;
    if (!(here == there)) {
      throw InputError(
          Diagnostic{here,
                     fmt::format("a second variant is called {}; the first is at {}:{}",
                                 target.variant.contract.name, there.file, there.line),
                     {}});
    }
  }
}

}  // namespace

std::vector<Target> resolve_targets(std::span<const std::string> targets) {
  if (targets.empty()) return built_in("*");
  std::vector<Target> all;
  for (const std::string& target : targets) {
    add(all, names_a_path(target) ? at_path(target) : built_in(target));
  }
  return all;
}

std::vector<Variant> variants_of(std::span<const Target> targets) {
  std::vector<Variant> variants;
  variants.reserve(targets.size());
  for (const Target& target : targets) variants.push_back(target.variant);
  return variants;
}

}  // namespace warpcheck::workflows::targets

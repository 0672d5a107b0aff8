#include "workflows/regressions/stale_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <system_error>

#include "base/diagnostic.hpp"
#include "base/paths.hpp"
#include "contract/kernel_source.hpp"
#include "workflows/regressions/regression_file.hpp"

namespace warpcheck::workflows::regressions {
namespace {

namespace fs = std::filesystem;

/// Adds the names of the variants of all sources in a folder. False if a contract is not
/// readable.
bool add_names(const fs::path& folder, std::set<std::string>& names) {
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (!contract::is_source(entry.path()) || !contract::has_contract(entry.path())) continue;
      for (const contract::Contract& contract :
           contract::read_kernel_source(entry.path()).contracts) {
        names.insert(contract.name);
      }
    }
    return true;
  } catch (const InputError&) {
    return false;
  } catch (const fs::filesystem_error&) {
    return false;
  }
}

std::set<fs::path> folders_of(std::span<const targets::Target> targets) {
  std::set<fs::path> folders;
  for (const targets::Target& target : targets) {
    if (target.path.empty()) continue;
    folders.insert(fs::path(target.variant.compiled->source_file).parent_path());
  }
  return folders;
}

std::set<std::string> regression_files_in(const fs::path& folder) {
  std::error_code absent;  // most kernels have no regressions
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder / "regressions", absent)) {
    if (entry.path().extension() == kExtension) files.insert(entry.path().string());
  }
  return files;
}

}  // namespace

std::vector<Warning> find_stale_files(std::span<const targets::Target> targets) {
  std::vector<Warning> warnings;
  for (const fs::path& folder : folders_of(targets)) {
    const std::set<std::string> files = regression_files_in(folder);
    std::set<std::string> names;
    if (files.empty() || !add_names(folder, names)) continue;
    for (const std::string& file : files) {
      const std::string name = fs::path(file).stem().string();
      if (names.contains(name)) continue;
      warnings.push_back({shown_path(file), fmt::format("no variant of a source in {} is named {}",
                                                        folder.string(), name)});
    }
  }
  return warnings;
}

}  // namespace warpcheck::workflows::regressions

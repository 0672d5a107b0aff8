#include "workflows/targets/origins.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <system_error>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "contract/compile/compile_cache.hpp"

namespace warpcheck::workflows::targets {
namespace {

namespace fs = std::filesystem;

using Origins = std::map<std::string, fs::path>;

fs::path origins_file() { return contract::cache_folder() / "origins"; }

/// Skips malformed lines: the program writes this file, but a full disk may have truncated it.
Origins read(const fs::path& file) {
  Origins origins;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) origins[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return origins;
}

void write(const fs::path& file, const Origins& origins) {
  std::string text;
  for (const auto& [variant, path] : origins) {
    text += fmt::format("{}\t{}\n", variant, path.string());
  }
  try {
    write_file(file, text);
  } catch (const EnvironmentError&) {
    // The command does not depend on this file.
  }
}

}  // namespace

void remember_origins(std::span<const Target> targets) {
  const fs::path file = origins_file();
  const Origins before = read(file);
  Origins origins = before;
  for (const Target& target : targets) {
    if (target.path.empty()) continue;
    std::error_code failed;
    const fs::path path = fs::canonical(target.path, failed);
    if (!failed) origins[target.variant.contract.name] = path;
  }
  if (origins != before) write(file, origins);
}

std::optional<fs::path> origin_of(const std::string& variant) {
  const Origins origins = read(origins_file());
  const auto found = origins.find(variant);
  std::error_code ignored;
  if (found == origins.end() || !fs::exists(found->second, ignored)) return std::nullopt;
  return found->second;
}

}  // namespace warpcheck::workflows::targets

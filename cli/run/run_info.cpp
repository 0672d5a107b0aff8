#include "cli/run/run_info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/help/version.hpp"
#include "workflows/repository/revision.hpp"

namespace warpcheck::cli {
namespace {

using workflows::targets::Target;

/// Adds the files that the .file directives of the PTX name.
void add_files(std::string_view ptx, std::set<std::string>& files) {
  constexpr std::string_view kDirective = "\n\t.file\t";
  for (std::size_t at = ptx.find(kDirective); at != std::string_view::npos;
       at = ptx.find(kDirective, at + 1)) {
    const std::size_t end = ptx.find('\n', at + 1);
    const std::size_t first = ptx.find('"', at);
    const std::size_t last = ptx.find('"', first + 1);
    if (last < end) files.emplace(ptx.substr(first + 1, last - first - 1));
  }
}

/// The folder of the pages of the documentation that belongs to the program, as installed or in a
/// clone; empty if it has none.
std::string docs_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto prefix = program.parent_path().parent_path();
  for (const auto& folder : {prefix / "share/doc/warpcheck/docs", prefix.parent_path() / "docs"}) {
    if (std::filesystem::is_regular_file(folder / "checks.md", error)) return folder.string();
  }
  return {};
}

}  // namespace

std::string nvcc_versions(std::span<const Target> targets) {
  std::set<std::string> versions;
  for (const Target& target : targets) {
    if (!target.variant.compiled) continue;
    versions.insert(report::nvcc_version_of(target.variant.compiled->ptx));
  }
  versions.erase("");
  return fmt::format("{}", fmt::join(versions, ", "));
}

std::string revision_of(std::span<const Target> targets) {
  std::set<std::string> files;
  for (const auto& [variant, path] : targets) {
    if (path.empty() || !variant.compiled) continue;
    files.insert(variant.contract.where.file);
    files.insert(variant.compiled->source_file);
    add_files(variant.compiled->ptx, files);
  }
  files.erase("");
  return workflows::repository::revision_of(std::vector<std::string>(files.begin(), files.end()));
}

report::RunInfo completed(report::RunInfo run, std::span<const Target> targets) {
  run.version = program_version();
  run.docs = docs_folder();
  if (run.nvcc.empty()) run.nvcc = nvcc_versions(targets);
  if (run.revision.empty()) run.revision = revision_of(targets);
  return run;
}

}  // namespace warpcheck::cli

#include "workflows/repository/revision_names.hpp"

#include <utility>
#include <vector>

namespace warpcheck::workflows::repository {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string named_by_revision(const std::string& file, const fs::path& worktree,
                              const std::string& revision) {
  const std::string folder = worktree.string() + "/";
  if (worktree.empty() || !file.starts_with(folder)) return file;
  return revision + ":" + file.substr(folder.size());
}

InputError named_by_revision(const InputError& error, const fs::path& worktree,
                             const std::string& revision) {
  const std::string folder = worktree.string() + "/";
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.where.file = named_by_revision(diagnostic.where.file, worktree, revision);
    for (std::string::size_type at = 0;
         (at = diagnostic.message.find(folder, at)) != std::string::npos;) {
      diagnostic.message.replace(at, folder.size(), revision + ":");
    }
  }
  return InputError(std::move(diagnostics));
}

void name_by_revision(campaign::FindingReport& report, const fs::path& worktree,
                      const std::string& revision) {
  const auto name = [&](std::string& file) { file = named_by_revision(file, worktree, revision); };
  name(report.finding.source.file);
  name(report.excerpt.file);
  for (CallSite& call : report.finding.source.calls) name(call.file);
  if (report.finding.other) name(report.finding.other->source.file);
}

}  // namespace warpcheck::workflows::repository

#include "cli/commands/repository.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/diagnostic.hpp"

namespace warpcheck::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> git_command(const fs::path& folder,
                                     const std::vector<std::string>& arguments) {
  // Within a hook of his, the environment would name the user's own checkout. And a checkout's
  // hooks may do anything, such as build.
  std::vector<std::string> command = {"env",
                                      "-u",
                                      "GIT_DIR",
                                      "-u",
                                      "GIT_WORK_TREE",
                                      "-u",
                                      "GIT_INDEX_FILE",
                                      "git",
                                      "-c",
                                      "core.hooksPath=/dev/null",
                                      "-C",
                                      folder.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

ChildResult run_git(const fs::path& folder, const std::vector<std::string>& arguments) {
  ChildResult result = run_child(git_command(folder, arguments));
  while (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
  return result;
}

fs::path temporary_folder() {
  std::string name = (fs::temp_directory_path() / "warpcheck-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw EnvironmentError(
        fmt::format("cannot make the temporary folder {}: {}", name, std::strerror(errno)));
  }
  return name;
}

}  // namespace

Repository::Repository(const fs::path& folder) {
  const ChildResult result =
      run_git(folder.empty() ? "." : folder, {"rev-parse", "--show-toplevel"});
  if (result.status == 127) throw EnvironmentError("there is no git on this machine");
  if (result.status != 0) {
    throw request_error(
        fmt::format("{} lies in no git repository: {}", folder.string(), result.output));
  }
  top_ = result.output;
}

std::string Repository::commit(const std::string& revision) const {
  const ChildResult result = run_git(
      top_, {"rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}"});
  if (result.status == 0) return result.output;
  throw request_error(fmt::format("found no commit called {} in {}", revision, top_.string()));
}

std::string Repository::describe(const std::string& commit, const std::string& format) const {
  return git({"show", "--no-patch", "--format=" + format, commit});
}

std::string Repository::git(const std::vector<std::string>& arguments) const {
  ChildResult result = run_git(top_, arguments);
  if (result.status == 0) return std::move(result.output);
  throw request_error(fmt::format("git {} failed: {}", arguments.front(), result.output));
}

fs::path Worktrees::add(const std::string& commit) {
  const std::lock_guard lock(mutex_);
  if (closed_) throw EnvironmentError("interrupted");
  folders_.push_back(temporary_folder());
  const fs::path tree = folders_.back() / "tree";
  (void)repository_.git({"worktree", "add", "--quiet", "--detach", tree.string(), commit});
  return tree;
}

ChildResult Worktrees::git(const fs::path& worktree, const std::vector<std::string>& arguments) {
  return run_child_group(git_command(worktree, arguments), child_);
}

void Worktrees::remove() {
  if (const int group = child_; group != 0) kill(-group, SIGTERM);
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const fs::path& folder : std::exchange(folders_, {})) {
    (void)run_git(repository_.top(),
                  {"worktree", "remove", "--force", "--force", (folder / "tree").string()});
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
}

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

void name_by_revision(properties::campaign::FindingReport& report, const fs::path& worktree,
                      const std::string& revision) {
  const auto name = [&](std::string& file) { file = named_by_revision(file, worktree, revision); };
  name(report.finding.source.file);
  name(report.excerpt.file);
  for (CallSite& call : report.finding.source.calls) name(call.file);
  if (report.finding.other) name(report.finding.other->source.file);
}

}  // namespace warpcheck::cli

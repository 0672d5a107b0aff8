#include "cli/repository.hpp"

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

kernels::ChildResult run_git(const fs::path& folder, const std::vector<std::string>& arguments) {
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
  kernels::ChildResult result = kernels::run_child(command);
  while (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
  return result;
}

InputError error_of(std::string message) {
  return InputError(Diagnostic{{}, std::move(message), {}});
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
  const kernels::ChildResult result =
      run_git(folder.empty() ? "." : folder, {"rev-parse", "--show-toplevel"});
  if (result.status == 127) throw EnvironmentError("there is no git on this machine");
  if (result.status != 0) {
    throw error_of(fmt::format("{} lies in no git repository: {}", folder.string(), result.output));
  }
  top_ = result.output;
}

std::string Repository::commit(const std::string& revision) const {
  const kernels::ChildResult result = run_git(
      top_, {"rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}"});
  if (result.status == 0) return result.output;
  throw error_of(fmt::format("found no commit called {} in {}", revision, top_.string()));
}

std::string Repository::describe(const std::string& commit, const std::string& format) const {
  return git({"show", "--no-patch", "--format=" + format, commit});
}

std::string Repository::git(const std::vector<std::string>& arguments) const {
  kernels::ChildResult result = run_git(top_, arguments);
  if (result.status == 0) return std::move(result.output);
  throw error_of(fmt::format("git {} failed: {}", arguments.front(), result.output));
}

fs::path Worktrees::add(const std::string& commit) {
  const std::lock_guard lock(mutex_);
  if (closed_) throw EnvironmentError("interrupted");
  folders_.push_back(temporary_folder());
  const fs::path tree = folders_.back() / "tree";
  (void)repository_.git({"worktree", "add", "--quiet", "--detach", tree.string(), commit});
  return tree;
}

void Worktrees::remove() {
  if (const int group = child; group != 0) kill(-group, SIGTERM);
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const fs::path& folder : std::exchange(folders_, {})) {
    (void)run_git(repository_.top(),
                  {"worktree", "remove", "--force", "--force", (folder / "tree").string()});
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
}

}  // namespace warpcheck::cli

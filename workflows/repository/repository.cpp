#include "workflows/repository/repository.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostic.hpp"

namespace warpcheck::workflows::repository {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::vector<std::string> git_command(const fs::path& folder,
                                     const std::vector<std::string>& arguments) {
  // The environment of a git hook names the user's own checkout. Hooks of a checkout may run
  // anything, such as a build.
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

ChildResult run_git(const fs::path& folder, const std::vector<std::string>& arguments,
                    ChildOptions options) {
  ChildResult result = run_child(git_command(folder, arguments), options);
  while (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
  return result;
}

Repository::Repository(const fs::path& folder) {
  const ChildResult result =
      run_git(folder.empty() ? "." : folder, {"rev-parse", "--show-toplevel"});
  if (result.status == 127) throw EnvironmentError("git is not installed on this machine");
  if (result.status != 0) {
    throw request_error(
        fmt::format("{} is not in a git repository: {}", folder.string(), result.output));
  }
  top_ = result.output;
}

std::string Repository::commit(const std::string& revision) const {
  const ChildResult result = run_git(
      top_, {"rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}"});
  if (result.status == 0) return result.output;
  throw request_error(fmt::format("found no commit named {} in {}", revision, top_.string()));
}

std::string Repository::describe(const std::string& commit, const std::string& format) const {
  return git({"show", "--no-patch", "--format=" + format, commit});
}

std::string Repository::git(const std::vector<std::string>& arguments) const {
  ChildResult result = run_git(top_, arguments);
  if (result.status == 0) return std::move(result.output);
  throw request_error(fmt::format("git {} failed: {}", arguments.front(), result.output));
}

}  // namespace warpcheck::workflows::repository

#include "workflows/repository/worktrees.hpp"

namespace warpcheck::workflows::repository {

namespace fs = std::filesystem;

fs::path Worktrees::add(const std::string& commit) {
  folders_.push_back(std::make_unique<TemporaryFolder>());
  const fs::path tree = folders_.back()->path() / "tree";
  (void)repository_.git({"worktree", "add", "--quiet", "--detach", tree.string(), commit});
  return tree;
}

ChildResult Worktrees::git(const fs::path& worktree,
                           const std::vector<std::string>& arguments) const {
  return run_child(git_command(worktree, arguments), {.inherits_standard_error = true});
}

Worktrees::~Worktrees() {
  for (const auto& folder : folders_) {
    (void)run_git(repository_.top(),
                  {"worktree", "remove", "--force", "--force", (folder->path() / "tree").string()},
                  {.is_interruptible = false});
  }
}

}  // namespace warpcheck::workflows::repository

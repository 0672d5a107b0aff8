#include "workflows/diff/operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "base/closest_word.hpp"
#include "base/diagnostic.hpp"
#include "workflows/repository/repository.hpp"
#include "workflows/repository/revision_names.hpp"
#include "workflows/repository/worktrees.hpp"

namespace warpcheck::workflows::diff {
namespace {

namespace fs = std::filesystem;

using targets::Target;

bool path_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// "mine.cu:fast": a path and the name of one of its variants; empty: all of them.
struct PathSelection {
  std::string path;
  std::string variant;
};

/// The text is a path if `exists` returns true for it; otherwise the text after the last colon is
/// the name of a variant.
template <typename Exists>
PathSelection parse_selection(const std::string& text, const Exists& exists) {
  const std::size_t colon = text.rfind(':');
  if (exists(text) || colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::vector<Target> selected(std::vector<Target> targets, const PathSelection& selection) {
  if (selection.variant.empty()) return targets;
  std::vector<std::string_view> names;
  for (const Target& target : targets) names.push_back(target.variant.contract.name);
  if (std::find(names.begin(), names.end(), selection.variant) == names.end()) {
    throw request_error(
        fmt::format("{}: {}", selection.path, unknown("variant", selection.variant, names)));
  }
  std::erase_if(targets, [&](const Target& target) {
    return target.variant.contract.name != selection.variant;
  });
  return targets;
}

Operand at_path(const std::string& label, const PathSelection& selection) {
  return {label, selected(targets::resolve_targets(std::vector{selection.path}), selection), "",
          ""};
}

std::string names_of(const Operand& operand) {
  std::vector<std::string> names;
  for (const Target& target : operand.targets) names.push_back(target.variant.contract.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

struct DiffOperands::Checkouts {
  explicit Checkouts(const std::string& folder) : git(folder) {}

  repository::Repository git;
  repository::Worktrees trees{git};
  std::map<std::string, fs::path> worktrees;  // keyed by commit
};

DiffOperands::DiffOperands() = default;
DiffOperands::~DiffOperands() = default;

Operand DiffOperands::resolve(const std::string& operand) {
  const PathSelection selection =
      parse_selection(operand, [](const std::string& text) { return path_exists(text); });
  if (path_exists(selection.path)) return at_path(operand, selection);
  const std::size_t colon = operand.find(':');
  if (colon == std::string::npos || colon == 0) {
    return {operand, targets::resolve_targets(std::vector{operand}), "", ""};
  }
  const std::string path = operand.substr(colon + 1);
  const bool from_here = path.starts_with("./") || path.starts_with("../");
  return in_commit(operand.substr(0, colon), path, from_here ? "." : "");
}

Operand DiffOperands::at_revision(const std::string& revision, const std::string& path) {
  const fs::path file = path;
  return in_commit(revision, file.filename().string(),
                   file.has_parent_path() ? file.parent_path().string() : ".");
}

/// `folder`: the folder that the path is relative to; empty: the top of the repository.
Operand DiffOperands::in_commit(const std::string& revision, const std::string& path,
                                const std::string& folder) {
  if (!checkouts_) checkouts_ = std::make_unique<Checkouts>(folder.empty() ? "." : folder);
  const std::string commit = checkouts_->git.commit(revision);
  fs::path& worktree = checkouts_->worktrees[commit];
  if (worktree.empty()) worktree = checkouts_->trees.add(commit);
  const fs::path within =
      folder.empty()
          ? fs::path()
          : fs::canonical(folder).lexically_relative(fs::canonical(checkouts_->git.top()));
  const auto in_worktree = [&](const std::string& text) {
    return (worktree / within / text).lexically_normal();
  };
  const PathSelection selection = parse_selection(
      path, [&](const std::string& text) { return path_exists(in_worktree(text)); });
  if (!path_exists(in_worktree(selection.path))) {
    throw request_error(fmt::format("{} has no {}", revision, selection.path));
  }
  try {
    Operand operand = at_path(fmt::format("{}:{}", revision, path),
                              {in_worktree(selection.path).string(), selection.variant});
    operand.revision = revision;
    operand.worktree = worktree;
    return operand;
  } catch (const InputError& error) {
    throw repository::named_by_revision(error, worktree, revision);
  }
}

std::pair<Operand, Operand> DiffOperands::resolve_both(const std::vector<std::string>& operands,
                                                       const std::vector<std::string>& revisions) {
  if (operands.size() == 2 && revisions.empty()) {
    Operand before = resolve(operands.front());
    return {std::move(before), resolve(operands.back())};
  }
  if (operands.size() != 1 || revisions.empty() || revisions.size() > 2) {
    throw request_error("expected OLD and NEW, or one file with one --rev or two of them");
  }
  Operand before = at_revision(revisions.front(), operands.front());
  return {std::move(before), revisions.size() == 2 ? at_revision(revisions.back(), operands.front())
                                                   : resolve(operands.front())};
}

std::vector<std::pair<Target, Target>> pair_variants(const Operand& before, const Operand& after) {
  if (before.targets.size() == 1 && after.targets.size() == 1) {
    return {{before.targets.front(), after.targets.front()}};
  }
  std::vector<std::pair<Target, Target>> found;
  for (const Target& one : before.targets) {
    for (const Target& other : after.targets) {
      if (one.variant.contract.name == other.variant.contract.name) found.emplace_back(one, other);
    }
  }
  if (found.empty()) {
    throw request_error(
        fmt::format("no variant of {} ({}) has the name of a variant of {} ({}); select one of "
                    "each, as in {}:{}",
                    before.label, names_of(before), after.label, names_of(after), after.label,
                    after.targets.front().variant.contract.name));
  }
  return found;
}

}  // namespace warpcheck::workflows::diff

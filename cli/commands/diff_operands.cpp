#include "cli/commands/diff_operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "base/closest_word.hpp"
#include "base/diagnostic.hpp"

namespace warpcheck::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// "mine.cu:fast": the path, and the variant that is chosen there; empty: all of them.
struct PathSelection {
  std::string path;
  std::string variant;
};

/// Where `there` says that the whole text is a path, it is; else what follows the last colon is a
/// variant.
template <typename Exists>
PathSelection choice_of(const std::string& text, const Exists& there) {
  const std::size_t colon = text.rfind(':');
  if (there(text) || colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::vector<Target> chosen(std::vector<Target> targets, const PathSelection& choice) {
  if (choice.variant.empty()) return targets;
  std::vector<std::string_view> names;
  for (const Target& target : targets) names.push_back(target.variant.contract.name);
  if (std::find(names.begin(), names.end(), choice.variant) == names.end()) {
    throw request_error(
        fmt::format("{}: {}", choice.path, unknown("variant", choice.variant, names)));
  }
  std::erase_if(targets, [&](const Target& target) {
    return target.variant.contract.name != choice.variant;
  });
  return targets;
}

Side at_path(const std::string& label, const PathSelection& choice) {
  return {label, chosen(resolve_targets(std::vector{choice.path}), choice), "", ""};
}

std::string names_of(const Side& side) {
  std::vector<std::string> names;
  for (const Target& target : side.targets) names.push_back(target.variant.contract.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

struct DiffOperands::CheckedOut {
  explicit CheckedOut(const std::string& from) : repository(from) {}

  Repository repository;
  Worktrees trees{repository};
  std::map<std::string, fs::path> folders;  // by commit
};

DiffOperands::DiffOperands() = default;
DiffOperands::~DiffOperands() = default;

Side DiffOperands::resolve(const std::string& what) {
  const PathSelection choice =
      choice_of(what, [](const std::string& text) { return is_there(text); });
  if (is_there(choice.path)) return at_path(what, choice);
  const std::size_t colon = what.find(':');
  if (colon == std::string::npos || colon == 0)
    return {what, resolve_targets(std::vector{what}), "", ""};
  const std::string path = what.substr(colon + 1);
  const bool from_here = path.starts_with("./") || path.starts_with("../");
  return of_commit(what.substr(0, colon), path, from_here ? "." : "");
}

Side DiffOperands::at_revision(const std::string& revision, const std::string& path) {
  const fs::path file = path;
  return of_commit(revision, file.filename().string(),
                   file.has_parent_path() ? file.parent_path().string() : ".");
}

/// `from`: the folder from which the path counts; empty: the top of the repository.
Side DiffOperands::of_commit(const std::string& revision, const std::string& path,
                             const std::string& from) {
  if (!checked_out_) checked_out_ = std::make_unique<CheckedOut>(from.empty() ? "." : from);
  const Repository& repository = checked_out_->repository;
  const std::string commit = repository.commit(revision);
  fs::path& folder = checked_out_->folders[commit];
  if (folder.empty()) folder = checked_out_->trees.add(commit);
  const fs::path within =
      from.empty() ? fs::path()
                   : fs::canonical(from).lexically_relative(fs::canonical(repository.top()));
  const auto in_tree = [&](const std::string& text) {
    return (folder / within / text).lexically_normal();
  };
  const PathSelection choice =
      choice_of(path, [&](const std::string& text) { return is_there(in_tree(text)); });
  if (!is_there(in_tree(choice.path))) {
    throw request_error(fmt::format("{} has no {}", revision, choice.path));
  }
  try {
    Side side = at_path(fmt::format("{}:{}", revision, path),
                        {in_tree(choice.path).string(), choice.variant});
    side.revision = revision;
    side.worktree = folder;
    return side;
  } catch (const InputError& error) {
    throw named_by_revision(error, folder, revision);
  }
}

std::vector<std::pair<Target, Target>> pairs(const Side& before, const Side& after) {
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
        fmt::format("no variant of {} ({}) has the name of one of {} ({}); choose one "
                    "of each, as in {}:{}",
                    before.label, names_of(before), after.label, names_of(after), after.label,
                    after.targets.front().variant.contract.name));
  }
  return found;
}

}  // namespace warpcheck::cli

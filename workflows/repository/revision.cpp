#include "workflows/repository/revision.hpp"

#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/paths.hpp"
#include "workflows/repository/repository.hpp"

namespace warpcheck::workflows::repository {
namespace {

constexpr std::size_t kDigits = 12;

/// True if the content of each file, as it is, is the one that the commit has under its path.
bool are_committed(const std::filesystem::path& top, const std::string& commit,
                   const std::set<std::string>& files) {
  std::vector<std::string> hash = {"hash-object", "--no-filters", "--"};
  std::vector<std::string> list = {"ls-tree", "-z", commit, "--"};
  for (const std::string& file : files) {
    hash.push_back(file);
    list.push_back(path_below(top, file).string());
  }
  const ChildResult hashes = run_git(top, hash);
  const ChildResult listing = run_git(top, list);
  if (hashes.status != 0 || listing.status != 0) return false;
  // Each entry is "100644 blob HASH\tPATH" with a zero byte at its end, in the order of the paths.
  std::map<std::string, std::string> committed;
  std::istringstream entries(listing.output);
  for (std::string entry; std::getline(entries, entry, '\0');) {
    const std::size_t tab = entry.find('\t');
    if (tab == std::string::npos) return false;
    const std::size_t blank = entry.rfind(' ', tab);
    committed[entry.substr(tab + 1)] = entry.substr(blank + 1, tab - blank - 1);
  }
  std::istringstream digits(hashes.output);
  for (const std::string& file : files) {
    std::string file_digits;
    digits >> file_digits;
    const auto entry = committed.find(path_below(top, file).string());
    if (entry == committed.end() || entry->second != file_digits) return false;
  }
  return true;
}

std::string revision_in(const std::filesystem::path& top, const std::set<std::string>& files) {
  const ChildResult head = run_git(top, {"rev-parse", "--quiet", "--verify", "HEAD^{commit}"});
  if (head.status != 0 || head.output.size() < kDigits) return {};
  return head.output.substr(0, kDigits) +
         (are_committed(top, head.output, files) ? "" : " with changes");
}

}  // namespace

std::string revision_of(std::span<const std::string> files) {
  std::map<std::filesystem::path, std::set<std::string>> repositories;
  for (const std::string& file : files) {
    const std::filesystem::path path = absolute_path(file);
    const std::filesystem::path top = repository_of(path);
    if (!top.empty()) repositories[top].insert(path.string());
  }
  std::string text;
  for (const auto& [top, its_files] : repositories) {
    const std::string revision = revision_in(top, its_files);
    if (!revision.empty()) text += (text.empty() ? "" : ", ") + revision;
  }
  return text;
}

}  // namespace warpcheck::workflows::repository

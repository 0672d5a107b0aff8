#include "base/paths.hpp"

#include <system_error>

#include "base/text/visible_text.hpp"

namespace warpcheck {

namespace fs = std::filesystem;

fs::path path_below(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  return relative.empty() || *relative.begin() == ".." ? fs::path() : relative;
}

fs::path absolute_path(const fs::path& file) {
  std::error_code failed;
  const fs::path path = fs::absolute(file, failed);
  return (failed ? file : path).lexically_normal();
}

fs::path repository_of(const fs::path& path) {
  std::error_code ignored;
  for (fs::path folder = path; folder.has_relative_path();) {
    folder = folder.parent_path();
    if (fs::exists(folder / ".git", ignored)) return folder;
  }
  return {};
}

fs::path relative_to_repository(const fs::path& file) {
  const fs::path path = absolute_path(file);
  std::error_code ignored;
  fs::path root = repository_of(path);
  if (root.empty()) root = fs::current_path(ignored);
  return path_below(root, path);
}

std::string relative_path(const std::string& file) {
  std::error_code failed;
  const fs::path path = file;
  const fs::path here = fs::current_path(failed);
  if (failed || !path.is_absolute()) return file;
  const fs::path relative = path_below(here, path.lexically_normal());
  return relative.empty() ? file : relative.string();
}

std::string shown_path(const std::string& file) { return visible(relative_path(file)); }

}  // namespace warpcheck

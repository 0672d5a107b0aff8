#include "base/paths.hpp"

#include <system_error>

namespace warpcheck {

namespace fs = std::filesystem;

fs::path path_below(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  return relative.empty() || *relative.begin() == ".." ? fs::path() : relative;
}

std::string shown_path(const std::string& file) {
  std::error_code failed;
  const fs::path path = file;
  const fs::path here = fs::current_path(failed);
  if (failed || !path.is_absolute()) return file;
  const fs::path relative = path_below(here, path.lexically_normal());
  return relative.empty() ? file : relative.string();
}

}  // namespace warpcheck

#include "contract/cache_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace warpcheck::contract {

namespace fs = std::filesystem;

fs::path temporary_cache_folder() {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  return (failed ? fs::path("/tmp") : folder) / fmt::format("warpcheck-{}", geteuid());
}

fs::path cache_folder() {
  const auto from = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  // The XDG Base Directory Specification requires that relative paths are ignored.
  if (const fs::path cache = from("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "warpcheck";
  }
  if (const fs::path home = from("HOME"); home.is_absolute()) return home / ".cache/warpcheck";
  return temporary_cache_folder();
}

std::string refusal_of_folder(const fs::path& folder) {
  if (!is_safe_for_nvcc(folder)) return "nvcc requires a path without \" $ ` \\ and line feeds";
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return failed.message();
  return access(folder.c_str(), W_OK | X_OK) == 0 ? "" : std::strerror(errno);
}

std::string refusal_of_private_folder(const fs::path& folder) {
  if (!is_safe_for_nvcc(folder)) return refusal_of_folder(folder);
  struct stat found {};
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return std::strerror(errno);
  if (lstat(folder.c_str(), &found) != 0) return std::strerror(errno);
  const bool is_private = S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
                          (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return is_private ? refusal_of_folder(folder) : "other users can write it";
}

bool is_safe_for_nvcc(const fs::path& path) {
  return path.native().find_first_of("\"$`\\\n") == std::string::npos;
}

}  // namespace warpcheck::contract

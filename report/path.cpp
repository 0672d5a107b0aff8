#include "report/path.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace warpcheck::report {
namespace {

namespace fs = std::filesystem;

fs::path absolute(const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::absolute(file, failed);
  return (failed ? fs::path(file) : path).lexically_normal();
}

/// The nearest folder above `path` with a .git, which is a file in a worktree; empty if there is
/// none.
fs::path repository_of(const fs::path& path) {
  std::error_code ignored;
  for (fs::path folder = path; folder.has_relative_path();) {
    folder = folder.parent_path();
    if (fs::exists(folder / ".git", ignored)) return folder;
  }
  return {};
}

/// Percent-encodes the characters that RFC 3986 does not allow in a path.
std::string encoded(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

}  // namespace

std::optional<std::string> path_in_repository(const std::string& file) {
  const fs::path path = absolute(file);
  std::error_code ignored;
  fs::path root = repository_of(path);
  if (root.empty()) root = fs::current_path(ignored);
  const fs::path relative = path_below(root, path);
  if (relative.empty()) return std::nullopt;
  return encoded(relative.string());
}

std::string file_uri(const std::string& file) { return "file://" + encoded(absolute(file)); }

}  // namespace warpcheck::report

#include "report/path.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "base/text/characters.hpp"

namespace warpcheck::report {
namespace {

/// Percent-encodes the characters that RFC 3986 does not allow in a path.
std::string encoded(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const bool plain = is_letter(c) || is_digit(c) ||
                       std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

}  // namespace

std::optional<std::string> path_in_repository(const std::string& file) {
  const std::filesystem::path relative = relative_to_repository(file);
  if (relative.empty()) return std::nullopt;
  return encoded(relative.string());
}

std::string file_uri(const std::string& file) {
  return "file://" + encoded(absolute_path(file).string());
}

}  // namespace warpcheck::report

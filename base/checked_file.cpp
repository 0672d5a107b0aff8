#include "base/checked_file.hpp"

#include <fmt/format.h>

#include "base/content_hash.hpp"
#include "base/files.hpp"

namespace warpcheck {
namespace {

std::string last_line(const std::filesystem::path& file, std::string_view text) {
  ContentHash hash;
  hash.add(file.filename().string());
  hash.add(text);
  return fmt::format("\n// warpcheck checksum {}\n", hash.digits());
}

}  // namespace

void write_checked(const std::filesystem::path& file, std::string_view text) {
  write_file(file, std::string(text) + last_line(file, text));
}

std::optional<std::string> read_checked(const std::filesystem::path& file) {
  auto text = read_file(file);
  const std::size_t length = last_line(file, "").size();
  if (!text || text->size() < length) return std::nullopt;
  const std::string found = text->substr(text->size() - length);
  text->resize(text->size() - length);
  if (found != last_line(file, *text)) return std::nullopt;
  return text;
}

}  // namespace warpcheck

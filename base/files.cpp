#include "base/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace warpcheck {

namespace fs = std::filesystem;

namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  std::string_view encoding;
};

/// Byte order marks (Unicode, table 23-8). The mark of UTF-32 begins with the mark of UTF-16.
constexpr std::array<Mark, 4> kMarks = {{{"\xff\xfe\0\0"sv, "UTF-32, little endian"},
                                         {"\0\0\xfe\xff"sv, "UTF-32, big endian"},
                                         {"\xff\xfe"sv, "UTF-16, little endian"},
                                         {"\xfe\xff"sv, "UTF-16, big endian"}}};

/// The encoding of a text without a byte order mark: in UTF-16, at least three quarters of the
/// first bytes at odd (little endian) or even (big endian) places of a source are zero.
std::string_view encoding_by_zeros(std::string_view text) {
  constexpr std::size_t kLooked = 256;  // bytes
  const std::size_t looked = std::min(text.size(), kLooked) / 2 * 2;
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < looked; ++i) zeros.at(i % 2) += text[i] == '\0' ? 1 : 0;
  const std::size_t enough = std::max<std::size_t>(looked * 3 / 8, 2);
  if (zeros[0] == 0 && zeros[1] >= enough) return "UTF-16, little endian";
  if (zeros[1] == 0 && zeros[0] >= enough) return "UTF-16, big endian";
  return {};
}

std::string_view wide_encoding(std::string_view text) {
  for (const Mark& mark : kMarks) {
    if (text.starts_with(mark.bytes)) return mark.encoding;
  }
  return encoding_by_zeros(text);
}

}  // namespace

std::optional<std::string> read_file(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad()) return std::nullopt;
  return std::move(text).str();
}

InputError file_error(const fs::path& file, std::string message) {
  Diagnostic diagnostic;
  diagnostic.where.file = file.string();
  diagnostic.message = std::move(message);
  return InputError(std::move(diagnostic));
}

std::string read_input(const fs::path& file) {
  auto text = read_file(file);
  if (!text) throw file_error(file, "cannot read this file");
  return std::move(*text);
}

std::string utf8_input(const fs::path& file, std::string text) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (text.starts_with(kUtf8Mark)) text.erase(0, kUtf8Mark.size());
  const std::string_view encoding = wide_encoding(text);
  if (!encoding.empty()) {
    throw file_error(file, fmt::format("found a text in {}, expected UTF-8: save it as UTF-8, or "
                                       "run `iconv -f {} -t UTF-8`",
                                       encoding, encoding.substr(0, encoding.find(','))));
  }
  return text;
}

std::string read_utf8(const fs::path& file) { return utf8_input(file, read_input(file)); }

fs::path temporary_beside(const fs::path& file) {
  static std::atomic<unsigned> count = 0;
  fs::path name = file;
  name += fmt::format(".{}-{}.tmp", getpid(), count++);
  return name;
}

void rename_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw EnvironmentError(fmt::format("cannot write {}: {}", to.string(), error.message()));
  }
}

void write_file(const fs::path& file, std::string_view text) {
  std::error_code ignored;  // opening the file reports it
  fs::create_directories(file.parent_path(), ignored);
  const fs::path temporary = temporary_beside(file);
  errno = 0;
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    const std::string reason = std::strerror(errno);
    fs::remove(temporary, ignored);
    throw EnvironmentError(fmt::format("cannot write {}: {}", file.string(), reason));
  }
  rename_file(temporary, file);
}

}  // namespace warpcheck

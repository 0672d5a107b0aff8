#include "base/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace warpcheck {

namespace fs = std::filesystem;

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

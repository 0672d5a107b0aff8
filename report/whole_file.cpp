#include "report/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/files.hpp"

namespace warpcheck::report {
namespace {

namespace fs = std::filesystem;

/// True for devices and pipes: a rename would replace them by a file.
bool is_special(const std::string& path) {
  std::error_code missing;
  const fs::file_status found = fs::status(path, missing);
  return fs::exists(found) && !fs::is_regular_file(found);
}

}  // namespace

void require_written(const std::ostream& out, std::string_view name) {
  if (out.good()) return;
  std::string message = std::string(name) + " cannot be written";
  if (errno != 0) message += std::string(": ") + std::strerror(errno);
  throw EnvironmentError(message);
}

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)), partial_(is_special(path_) ? std::string() : path_ + ".partial") {
  out_.open(partial_.empty() ? path_ : partial_, std::ios::binary);
  if (!out_) {
    throw InputError(
        Diagnostic{{path_}, std::string("cannot be written: ") + std::strerror(errno), {}});
  }
  std::error_code missing;
  if (!partial_.empty()) fs::remove(path_, missing);
}

WholeFile::~WholeFile() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove(partial_, ignored);
}

void WholeFile::write(std::string_view text) {
  errno = 0;
  out_ << text << std::flush;
  require_written(out_, path_);
  out_.close();
  require_written(out_, path_);
  if (!partial_.empty()) rename_file(partial_, path_);
  partial_.clear();
}

}  // namespace warpcheck::report

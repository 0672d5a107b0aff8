#include "report/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/diagnostic.hpp"

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
  out_ << text << std::flush;
  const bool written = out_.good();
  out_.close();
  std::error_code failed;
  if (written && !partial_.empty()) fs::rename(partial_, path_, failed);
  if (!written || failed) throw EnvironmentError(path_ + " cannot be written");
  partial_.clear();
}

}  // namespace warpcheck::report

#include "cli/commands/json_output.hpp"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "base/diagnostic.hpp"
#include "cli/options/arguments.hpp"
#include "report/json/start_json.hpp"
#include "report/whole_file.hpp"

namespace warpcheck::cli {

JsonOutput::JsonOutput(const std::string& path) : path_(path), prints_(path == kStandardOutput) {
  if (path.empty() || prints_) return;
  file_.open(path);
  if (!file_) {
    throw InputError(
        Diagnostic{{path}, std::string("cannot be written: ") + std::strerror(errno), {}});
  }
}

void JsonOutput::start(report::RunInfo run, std::span<const workflows::targets::Target> targets) {
  if (path_.empty()) return;
  write(report::start_json(completed(std::move(run), targets)) + "\n");
}

void JsonOutput::write(std::string_view lines) {
  errno = 0;
  if (prints_) report::require_written(std::cout << lines << std::flush, "the standard output");
  if (file_.is_open()) report::require_written(file_ << lines << std::flush, path_);
}

std::ostream& JsonOutput::console() const { return prints_ ? std::cerr : std::cout; }

}  // namespace warpcheck::cli

#include "cli/commands/json_output.hpp"

#include <cerrno>
#include <cstring>
#include <iostream>

#include "base/diagnostic.hpp"
#include "cli/options/arguments.hpp"

namespace warpcheck::cli {

JsonOutput::JsonOutput(const std::string& path) : prints_(path == kStandardOutput) {
  if (path.empty() || prints_) return;
  file_.open(path);
  if (!file_) {
    throw InputError(
        Diagnostic{{path}, std::string("cannot be written: ") + std::strerror(errno), {}});
  }
}

void JsonOutput::write(std::string_view lines) {
  if (prints_) std::cout << lines << std::flush;
  if (file_.is_open()) file_ << lines << std::flush;
}

std::ostream& JsonOutput::console() const { return prints_ ? std::cerr : std::cout; }

}  // namespace warpcheck::cli

// A file that gets its name only when it is complete, so that nobody mistakes the remains of an
// interrupted run for a report without findings.
#pragma once

#include <fstream>
#include <ostream>
#include <string>
#include <string_view>

namespace warpcheck::report {

/// Throws EnvironmentError if a write to the stream failed; `name` is its file, and errno the
/// reason.
void require_written(const std::ostream& out, std::string_view name);

class WholeFile {
 public:
  /// Removes the file of an earlier run and opens `path` + ".partial", which write() renames. A
  /// file that is not regular (/dev/stdout, a pipe) is written directly. Throws InputError if it
  /// cannot be opened.
  explicit WholeFile(std::string path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// Called once. Throws EnvironmentError if writing fails, for example because the disk is full.
  void write(std::string_view text);

 private:
  std::string path_;
  std::string partial_;  // empty: the file is written directly, or is complete
  std::ofstream out_;
};

}  // namespace warpcheck::report

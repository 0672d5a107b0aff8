// A file that is there when it is whole, and not before: what a run that broke off has left cannot
// be taken for a report in which nothing was found.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace warpcheck::report {

class WholeFile {
 public:
  /// Removes what an earlier run left under the name, and opens `path` with ".partial" after it,
  /// which is renamed when it is written. What is no regular file (/dev/stdout, a pipe) is written
  /// as it is. Throws InputError where that cannot be.
  explicit WholeFile(std::string path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// Once. Throws EnvironmentError where it cannot be written after all: the disk is full.
  void write(std::string_view text);

 private:
  std::string path_;
  std::string partial_;  // empty: the file is written as it is, or is whole
  std::ofstream out_;
};

}  // namespace warpcheck::report

// What `--json` asks for, of commands that tell of something else than a campaign.
#pragma once

#include <fstream>
#include <iosfwd>
#include <string>
#include <string_view>

namespace warpcheck::cli {

class JsonOutput {
 public:
  /// An empty path: nothing is written. Throws InputError where the file cannot be.
  explicit JsonOutput(const std::string& path);

  /// Whole lines.
  void write(std::string_view lines);

  /// Where people are told what happens; see console() in cli/reports.hpp.
  [[nodiscard]] std::ostream& console() const;

 private:
  bool prints_;  // on the standard output
  std::ofstream file_;
};

}  // namespace warpcheck::cli

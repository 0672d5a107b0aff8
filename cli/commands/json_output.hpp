// The file of `--json`, for commands whose results are not events of a campaign.
#pragma once

#include <fstream>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "cli/run/run_info.hpp"

namespace warpcheck::cli {

class JsonOutput {
 public:
  /// write() does nothing if there is no path. Throws InputError if the file is not writable.
  explicit JsonOutput(const std::string& path);

  /// Writes the `start` event, completed with what follows from the targets.
  void start(report::RunInfo run, std::span<const workflows::targets::Target> targets);

  /// Writes whole lines. Throws EnvironmentError if this fails, for example because the disk is
  /// full.
  void write(std::string_view lines);

  /// The stream for messages; see console() in cli/commands/reports.hpp.
  [[nodiscard]] std::ostream& console() const;

 private:
  std::string path_;
  bool prints_;  // prints to the standard output
  std::ofstream file_;
};

}  // namespace warpcheck::cli

// The programs for which reports are written, asked whether they take one.
#pragma once

#include <string>
#include <vector>

#include "tests/tool/tool.hpp"

namespace warpcheck::tool {

class Consumers {
 public:
  explicit Consumers(const Scratch& scratch) : scratch_(scratch) {}

  /// xmllint, with the schema of Jenkins.
  [[nodiscard]] bool take_junit(const std::string& file);

  /// What those said that did not take a report.
  [[nodiscard]] const std::string& complaints() const { return complaints_; }

  /// Programs that are not installed: they take everything, so a test is to say that it is skipped.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  /// Whether the line of the shell succeeds, or its program is missing.
  [[nodiscard]] bool succeeds(const std::string& line);

  const Scratch& scratch_;
  std::string complaints_;
  std::string missing_;
};

}  // namespace warpcheck::tool

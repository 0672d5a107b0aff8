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

  /// A validator of JSON Schema, with the schema of SARIF 2.1.0.
  [[nodiscard]] bool take_sarif(const std::string& file);

  /// The same, with docs/schema/events.schema.json, where no event may have keys that are not in
  /// it.
  [[nodiscard]] bool take_events(const std::string& file);

  /// genhtml with branches; the pages lie in the scratch folder's `html`.
  [[nodiscard]] bool take_lcov(const std::string& file);

  /// What those said that did not take a report.
  [[nodiscard]] const std::string& complaints() const { return complaints_; }

  /// Programs that are not installed: they take everything, so a test is to say that it is skipped.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  /// Whether the line of the shell succeeds, or its program is missing.
  [[nodiscard]] bool succeeds(const std::string& line);
  [[nodiscard]] bool validate_json(const std::string& arguments);

  const Scratch& scratch_;
  std::string complaints_;
  std::string missing_;
};

/// What is wrong with the events in a file, see Consumers::take_events(); empty: nothing, or the
/// validator is not installed, of which another test tells.
[[nodiscard]] std::string complaints_about_events(const Scratch& scratch, const std::string& file);

}  // namespace warpcheck::tool

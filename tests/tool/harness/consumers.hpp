// Programs that read reports, as checks of the report formats.
#pragma once

#include <string>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {

class Consumers {
 public:
  explicit Consumers(const Scratch& scratch) : scratch_(scratch) {}

  /// xmllint, with the schema of Jenkins.
  [[nodiscard]] bool accepts_junit(const std::string& file);

  /// A validator of JSON Schema, with the schema of SARIF 2.1.0.
  [[nodiscard]] bool accepts_sarif(const std::string& file);

  /// The same validator, with docs/schema/events.schema.json. Keys that the schema does not list
  /// are errors.
  [[nodiscard]] bool accepts_events(const std::string& file);

  /// The same validator, with the strict schema of a Job of Kubernetes 1.33.
  [[nodiscard]] bool accepts_kubernetes_job(const std::string& file);

  /// genhtml with branches. Writes its pages to `html` in the scratch folder.
  [[nodiscard]] bool accepts_lcov(const std::string& file);

  /// The output of the programs that rejected a report.
  [[nodiscard]] const std::string& errors() const { return errors_; }

  /// Programs that are not installed. They accept every report, so that a test must be skipped.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  /// True if the shell command succeeds or its program is not installed.
  [[nodiscard]] bool succeeds(const std::string& line);
  [[nodiscard]] bool validate_json(const std::string& arguments);

  const Scratch& scratch_;
  std::string errors_;
  std::string missing_;
};

/// The errors of the events in a file, see Consumers::accepts_events(). Empty if there are none or
/// the validator is not installed, which makes other tests skip.
[[nodiscard]] std::string event_errors(const Scratch& scratch, const std::string& file);

}  // namespace warpcheck::tool

#include "tests/tool/harness/consumers.hpp"

namespace warpcheck::tool {

bool Consumers::accepts_junit(const std::string& file) {
  return succeeds("xmllint --noout --schema '" WARPCHECK_SOURCE_DIR
                  "/tests/report/schemas/junit-10.xsd' " +
                  file);
}

bool Consumers::accepts_sarif(const std::string& file) { return validate_json("SARIF " + file); }

bool Consumers::accepts_kubernetes_job(const std::string& file) {
  return validate_json("KUBERNETES " + file);
}

bool Consumers::accepts_events(const std::string& file) {
  return validate_json(
      "--lines --closed '" WARPCHECK_SOURCE_DIR "/docs/schema/events.schema.json' " + file);
}

bool Consumers::validate_json(const std::string& arguments) {
  const Result found =
      scratch_.shell("python3 '" WARPCHECK_SOURCE_DIR "/tests/tool/validate_json.py' " + arguments);
  if (found.status == 3 || found.status == 127)
    missing_ += found.out + found.error;
  else if (found.status != 0)
    errors_ += found.out + found.error;
  return found.status == 0 || found.status == 3 || found.status == 127;
}

bool Consumers::accepts_lcov(const std::string& file) {
  return succeeds("genhtml --quiet --branch-coverage --output-directory html " + file) &&
         succeeds("lcov --summary --rc lcov_branch_coverage=1 " + file);
}

bool Consumers::succeeds(const std::string& line) {
  const std::string program = line.substr(0, line.find(' '));
  if (scratch_.shell("command -v " + program).status != 0) {
    missing_ += program + " is not installed; ";
    return true;
  }
  const Result result = scratch_.shell(line);
  if (result.status != 0) errors_ += result.out + result.error;
  return result.status == 0;
}

std::string event_errors(const Scratch& scratch, const std::string& file) {
  Consumers consumers(scratch);
  return consumers.accepts_events(file) ? std::string() : consumers.errors();
}

}  // namespace warpcheck::tool

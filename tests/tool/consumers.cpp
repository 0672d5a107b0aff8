#include "tests/tool/consumers.hpp"

namespace warpcheck::tool {

bool Consumers::take_junit(const std::string& file) {
  return succeeds("xmllint --noout --schema '" WARPCHECK_SOURCE_DIR
                  "/tests/report/schemas/junit-10.xsd' " +
                  file);
}

bool Consumers::succeeds(const std::string& line) {
  const std::string program = line.substr(0, line.find(' '));
  if (scratch_.shell("command -v " + program).status != 0) {
    missing_ += program + " is not installed; ";
    return true;
  }
  const Result result = scratch_.shell(line);
  if (result.status != 0) complaints_ += result.out + result.error;
  return result.status == 0;
}

}  // namespace warpcheck::tool

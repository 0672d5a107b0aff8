// The findings of all launches of a module. Each is reported once.
#pragma once

#include <vector>

#include "device/finding.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::device {

class ReportedFindings {
 public:
  /// Moves the findings that an earlier launch of the module reported to `repeated`, and joins the
  /// remaining races that have the same cause.
  void keep_new(const machine::Program& program, std::vector<Finding>& findings,
                std::vector<Finding>& repeated);

 private:
  [[nodiscard]] bool remember(const Finding& finding);

  std::vector<Finding> all_;
};

}  // namespace warpcheck::device

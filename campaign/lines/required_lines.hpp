// Measurement of the lines that the cases of one variant execute, until they have executed all.
#pragma once

#include <optional>

#include "campaign/coverage/executed_lines.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign {

class RequiredLines {
 public:
  RequiredLines(const contract::Variant& variant, const device::Program& program)
      : reader_(variant, program) {}

  /// Adds the coverage of the next case. Returns the parts that no earlier case executed; none
  /// after the cases have executed all lines.
  [[nodiscard]] coverage::ExecutedParts add(const device::Coverage& covered);

  /// Adds the result of add() for a case of an interrupted campaign.
  void add(const coverage::ExecutedParts& recorded);

  /// Returns true if the coverage of further cases is not needed.
  [[nodiscard]] bool complete() const { return lines_ && lines_->unexecuted.empty(); }

  /// Returns true if no case was covered, but recorded cases were: their lines are unknown.
  [[nodiscard]] bool needs_a_run() const { return sum_.blocks.empty() && !recorded_.empty(); }

  /// Empty if no launch was covered.
  [[nodiscard]] const std::optional<coverage::ExecutedLines>& lines() const { return lines_; }

 private:
  [[nodiscard]] coverage::ExecutedLines read();

  coverage::ExecutedLinesReader reader_;
  device::Coverage sum_;
  coverage::ExecutedParts recorded_;  // parts that cases of an interrupted campaign executed
  std::optional<coverage::ExecutedLines> lines_;
};

}  // namespace warpcheck::campaign

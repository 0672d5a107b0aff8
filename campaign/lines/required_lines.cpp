#include "campaign/lines/required_lines.hpp"

#include "campaign/run/observation.hpp"

namespace warpcheck::campaign {
namespace {

/// The coverage of the same code, not executed.
device::Coverage unexecuted(device::Coverage coverage) {
  for (device::CoveredBlock& block : coverage.blocks) block.warps = 0;
  for (device::CoveredCondition& condition : coverage.conditions) condition.held = 0;
  return coverage;
}

}  // namespace

coverage::ExecutedParts RequiredLines::add(const device::Coverage& covered) {
  if (complete() || covered.blocks.empty()) return {};
  if (needs_a_run()) {
    sum_ = unexecuted(covered);
    lines_ = read();
    if (complete()) return {};
  }
  coverage::ExecutedParts parts = coverage::new_parts(sum_, covered);
  if (parts.empty() && lines_) return parts;
  run::add(sum_, covered);
  lines_ = read();
  return parts;
}

void RequiredLines::add(const coverage::ExecutedParts& recorded) {
  recorded_.insert(recorded_.end(), recorded.begin(), recorded.end());
  if (!sum_.blocks.empty()) lines_ = read();
}

coverage::ExecutedLines RequiredLines::read() {
  coverage::mark(sum_, recorded_);
  return reader_.read(sum_);
}

}  // namespace warpcheck::campaign

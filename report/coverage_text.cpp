#include "report/coverage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/path.hpp"

namespace warpcheck::report {
namespace {

using campaign::coverage::BranchCoverage;
using campaign::coverage::FileCoverage;
using campaign::coverage::LineCoverage;
using campaign::coverage::SourceCoverage;

/// Rounded down, so that "100.0 %" means all.
std::string tenths_percent(const Share& share) {
  const std::int64_t tenths = share.all == 0 ? 1000 : share.met * 1000 / share.all;
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

bool is_never_executed(const LineCoverage& line) { return line.warps == 0; }

bool has_one_direction_only(const LineCoverage& line) {
  return std::any_of(line.branches.begin(), line.branches.end(), [](const BranchCoverage& branch) {
    return branch.taken == 0 || branch.not_taken == 0;
  });
}

/// "12,14-16"; a range skips lines without instructions.
std::string chosen_lines(const FileCoverage& file, bool (*is_chosen)(const LineCoverage&)) {
  std::string text;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (!is_chosen(file.lines[i])) continue;
    std::size_t last = i;
    while (last + 1 < file.lines.size() && is_chosen(file.lines[last + 1])) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", file.lines[i].line);
    if (last > i) text += fmt::format("-{}", file.lines[last].line);
    i = last;
  }
  return text;
}

std::string places(const SourceCoverage& coverage, bool (*is_chosen)(const LineCoverage&)) {
  std::string text;
  for (const FileCoverage& file : coverage.files) {
    const std::string lines = chosen_lines(file, is_chosen);
    if (lines.empty()) continue;
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", shown_path(file.file), lines);
  }
  return text;
}

}  // namespace

std::string covered(const SourceCoverage& coverage) {
  const Share lines = coverage.lines();
  const Share branches = coverage.branches();
  return fmt::format("{} of {} lines ({}), {} of {} branches ({})", lines.met, lines.all,
                     tenths_percent(lines), branches.met, branches.all, tenths_percent(branches));
}

std::string never_executed(const SourceCoverage& coverage) {
  return places(coverage, is_never_executed);
}

std::string one_direction_only(const SourceCoverage& coverage) {
  return places(coverage, has_one_direction_only);
}

std::string shortfall(const SourceCoverage& coverage, const MinimumCoverage& minimum) {
  std::string text;
  if (!coverage.lines().reaches(minimum.lines)) {
    text += fmt::format("lines {} (never executed: {})", tenths_percent(coverage.lines()),
                        never_executed(coverage));
  }
  if (!coverage.branches().reaches(minimum.branches)) {
    text += fmt::format("{}branches {} (one direction only: {})", text.empty() ? "" : ", ",
                        tenths_percent(coverage.branches()), one_direction_only(coverage));
  }
  return text;
}

std::string shortfall(const campaign::VariantReport& variant, const MinimumCoverage& minimum) {
  return variant.coverage ? shortfall(*variant.coverage, minimum)
                          : "not known, because no launch completed";
}

}  // namespace warpcheck::report

#include "report/mistrust_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using campaign::coverage::SourceLine;

constexpr std::size_t kMostRanges = 12;

/// Consecutive lines of a file.
struct LineRange {
  const SourceLine* first;
  const SourceLine* last;
};

std::vector<LineRange> line_ranges(std::span<const SourceLine> lines) {
  std::vector<LineRange> ranges;
  for (const SourceLine& line : lines) {
    const bool continues = !ranges.empty() && ranges.back().last->file == line.file &&
                           ranges.back().last->line + 1 == line.line;
    if (continues) {
      ranges.back().last = &line;
    } else {
      ranges.push_back({&line, &line});
    }
  }
  return ranges;
}

std::string range_text(const LineRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first->line)
                                   : fmt::format("{}-{}", range.first->line, range.last->line);
}

/// Returns "lines 41-44, 52 of mine.cu, line 7 of tile.cuh" for lines in ascending order, at most
/// 12 ranges.
std::string lines_text(std::span<const SourceLine> lines) {
  const std::vector<LineRange> ranges = line_ranges(lines);
  const std::size_t shown = std::min(ranges.size(), kMostRanges);
  std::string text;
  for (std::size_t i = 0; i < shown;) {
    std::size_t end = i;
    std::string numbers;
    for (; end < shown && ranges[end].first->file == ranges[i].first->file; ++end) {
      numbers += (end == i ? "" : ", ") + range_text(ranges[end]);
    }
    const bool is_one = end == i + 1 && ranges[i].first == ranges[i].last;
    text += fmt::format("{}{} {} of {}", i == 0 ? "" : ", ", is_one ? "line" : "lines", numbers,
                        shown_path(ranges[i].first->file));
    i = end;
  }
  if (shown < ranges.size()) {
    const auto hidden =
        lines.last(static_cast<std::size_t>(&lines.back() - ranges[shown].first) + 1);
    text += fmt::format(" and {}", counted(std::ssize(hidden), "other line"));
  }
  return text;
}

}  // namespace

std::string mistrust_text(const campaign::VariantReport& report) {
  if (report.verdict != campaign::Verdict::mistrusted) return {};
  std::string text;
  if (report.lines && !report.lines->unexecuted.empty()) {
    text = fmt::format("{} {} never executed", lines_text(report.lines->unexecuted),
                       report.lines->unexecuted.size() == 1 ? "was" : "were");
  }
  if (report.cases == 0 && report.stopped != 0) {
    return "the time limit stopped every case while it was running";
  }
  const bool is_empty = report.cases == 0 && report.empty != 0;
  if (is_empty) return "the output is empty in every case, so that nothing was launched";
  if (text.empty() || report.sensitivity == 0.0) {
    text += text.empty() ? "" : "; ";
    text += "the data could not have exposed a defect";
  }
  return text;
}

std::string mistrusted_pass(const campaign::VariantReport& report) {
  const std::string reason = mistrust_text(report);
  return reason.empty() ? std::string() : "mistrusted: it passed, but " + reason;
}

}  // namespace warpcheck::report

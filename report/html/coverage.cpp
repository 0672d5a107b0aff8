#include "report/html/coverage.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "report/console/coverage_text.hpp"
#include "report/html/markup.hpp"

namespace warpcheck::report::html {
namespace {

Executed executed(const properties::coverage::LineCoverage& line) {
  Executed result{grouped(static_cast<std::int64_t>(line.warps)), line.warps == 0};
  std::size_t gone = 0;
  for (const properties::coverage::BranchCoverage& branch : line.branches) {
    gone += (branch.taken != 0 ? 1U : 0U) + (branch.not_taken != 0 ? 1U : 0U);
  }
  const std::size_t ways = 2 * line.branches.size();
  if (ways != 0) result.text += fmt::format(" {}/{}", gone, ways);
  result.missed = result.missed || gone < ways;
  return result;
}

}  // namespace

Coverage line_coverage(const properties::campaign::VariantReport& variant,
                       const std::string& file) {
  Coverage lines;
  if (!variant.coverage) return lines;
  for (const properties::coverage::FileCoverage& covered : variant.coverage->files) {
    if (covered.file != file) continue;
    for (const properties::coverage::LineCoverage& line : covered.lines)
      lines[line.line] = executed(line);
  }
  return lines;
}

std::string coverage_sentence(const properties::campaign::VariantReport& variant) {
  if (!variant.coverage || variant.coverage->files.empty()) return "";
  return fmt::format(
      "<p>Its cases executed {}. Beside a line of the source stands how often warps executed it, "
      "and "
      "after that how many of the ways of its branches were gone.</p>\n",
      escaped(covered(*variant.coverage)));
}

}  // namespace warpcheck::report::html

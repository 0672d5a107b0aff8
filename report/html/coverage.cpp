#include "report/html/coverage.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "report/coverage_text.hpp"
#include "report/html/markup.hpp"

namespace warpcheck::report::html {
namespace {

Executed executed(const campaign::coverage::LineCoverage& line) {
  Executed result{grouped(static_cast<std::int64_t>(line.warps)), line.warps == 0};
  std::size_t taken = 0;
  for (const campaign::coverage::BranchCoverage& branch : line.branches) {
    taken += (branch.taken != 0 ? 1U : 0U) + (branch.not_taken != 0 ? 1U : 0U);
  }
  const std::size_t directions = 2 * line.branches.size();
  if (directions != 0) result.text += fmt::format(" {}/{}", taken, directions);
  result.missed = result.missed || taken < directions;
  return result;
}

}  // namespace

Coverage line_coverage(const campaign::VariantReport& variant, const std::string& file) {
  Coverage lines;
  if (!variant.coverage) return lines;
  for (const campaign::coverage::FileCoverage& covered : variant.coverage->files) {
    if (covered.file != file) continue;
    for (const campaign::coverage::LineCoverage& line : covered.lines)
      lines[line.line] = executed(line);
  }
  return lines;
}

std::string coverage_sentence(const campaign::VariantReport& variant) {
  if (!variant.coverage || variant.coverage->files.empty()) return "";
  return fmt::format(
      "<p>The cases executed {}. Next to each line of the source is the number of times that warps "
      "executed it, followed by the number of directions taken by its branches.</p>\n",
      escaped(covered(*variant.coverage)));
}

}  // namespace warpcheck::report::html

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "base/files.hpp"
#include "base/text/visible_text.hpp"
#include "workflows/regressions/regression_file.hpp"
#include "workflows/regressions/regressions.hpp"
#include "workflows/targets/case_lines.hpp"

namespace warpcheck::workflows::regressions {
namespace {

using campaign::FindingReport;
using targets::LocatedCase;

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

/// "# out-of-bounds at mine.cu:18, 2026-11-21"
std::string comment_on(const FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  std::string text = fmt::format("# {}", name(report.finding.kind));
  if (source.line != 0) {
    const std::string file = std::filesystem::path(source.file).filename().string();
    text += fmt::format(" at {}:{}", visible(file), source.line);
  }
  return fmt::format("{}, {}", text, today());
}

bool contains(const std::string& file, const std::string& line) {
  const std::vector<LocatedCase> known = targets::read_case_file(file);
  return std::any_of(known.begin(), known.end(),
                     [&](const LocatedCase& located) { return to_line(located.problem) == line; });
}

}  // namespace

std::vector<KeptRegression> keep_regressions(std::span<const targets::Target> targets,
                                             const std::string& folder,
                                             const campaign::CampaignReport& report) {
  std::vector<KeptRegression> kept;
  for (const campaign::VariantReport& variant : report.variants) {
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const auto& one) {
      return one.variant.contract.name == variant.variant;
    });
    if (target == targets.end()) continue;
    const std::string file = regression_file(*target, folder);
    for (const FindingReport& finding : variant.findings) {
      const std::string line = to_line(finding.smallest);
      if (!finding.regression.empty() || contains(file, line)) continue;
      std::string text = read_file(file).value_or("");
      if (!text.empty() && text.back() != '\n') text += '\n';
      write_file(file, fmt::format("{}{}\n{}\n", text, comment_on(finding), line));
      kept.push_back({file, line});
    }
  }
  return kept;
}

}  // namespace warpcheck::workflows::regressions

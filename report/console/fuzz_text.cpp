#include "report/console/fuzz_text.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using workflows::fuzz::FuzzProgress;
using workflows::fuzz::FuzzReport;

/// Numbers that the progress line and the summary share.
std::string figures(const FuzzProgress& reached) {
  std::string text = counted(reached.cases, "case");
  if (reached.seconds > 0.0) {
    text += fmt::format(", {:.0f}/s", static_cast<double>(reached.cases) / reached.seconds);
  }
  text += fmt::format(", corpus {}", reached.corpus);
  if (reached.edges_total != 0) {
    text += fmt::format(", edges {} of {}", reached.edges, reached.edges_total);
  }
  text += ", " + counted(static_cast<std::int64_t>(reached.findings), "finding");
  if (reached.error_over_bound) {
    text += fmt::format(", worst error {:.2g} of its bound", *reached.error_over_bound);
  }
  return text;
}

}  // namespace

std::string fuzz_line(const FuzzProgress& progress) {
  return fmt::format("{}: {}, {}", progress.variant, figures(progress), progress.activity);
}

std::string fuzz_summary(const FuzzReport& report) {
  std::string text = fmt::format("{}: {} in {:.1f} s{}\n", report.variant, figures(report.reached),
                                 report.reached.seconds, report.interrupted ? ", interrupted" : "");
  if (report.known != 0) {
    text += fmt::format("  {} from an earlier search: still failing\n",
                        counted(static_cast<std::int64_t>(report.known), "finding"));
  }
  if (report.fixed != 0) {
    text += fmt::format("  {} from an earlier search: no longer failing\n",
                        counted(report.fixed, "finding"));
  }
  if (report.left_out != 0) {
    text += fmt::format("  {} of the corpus skipped: outside the contract's domain\n",
                        counted(report.left_out, "case"));
  }
  if (report.dropped != 0) {
    text += fmt::format("  {} removed from the corpus: no feature of their own\n",
                        counted(report.dropped, "case"));
  }
  for (const SourcePlace& place : report.never) {
    text +=
        fmt::format("  one direction never taken at {}:{}\n", shown_path(place.file), place.line);
  }
  return text;
}

}  // namespace warpcheck::report

#include "report/console/bisection_text.hpp"

#include <fmt/format.h>

#include "report/failure_block.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

std::string steps(const Bisection& bisection) {
  std::string text = counted(bisection.steps, "step");
  if (bisection.skipped != 0) {
    text += fmt::format(", of which {} could not run", bisection.skipped);
  }
  return text;
}

std::string commit_field(const Paint& paint, const char* name, const std::string& value) {
  return fmt::format("  {} {}\n", paint(Ink::faint, fmt::format("{:<10}", name)), value);
}

}  // namespace

std::string bisection_text(const Bisection& bisection, const Paint& paint) {
  std::string text;
  if (bisection.bad.size() > 1) {
    text += fmt::format("the first bad commit is one of {}, because the others cannot run; {}\n",
                        bisection.bad.size(), steps(bisection));
    for (const Commit& commit : bisection.bad) {
      text += fmt::format("  {} {}\n", commit.hash, commit.subject);
    }
    return text;
  }
  const Commit& first = bisection.bad.front();
  text += fmt::format("first bad commit: {}, after {}\n", paint(Ink::red, first.hash),
                      steps(bisection));
  text += commit_field(paint, "subject", first.subject);
  text += commit_field(paint, "author", first.author);
  text += commit_field(paint, "date", first.date);
  text += commit_field(paint, "compare", bisection.diff_command);
  for (const properties::campaign::FindingReport& finding : bisection.findings) {
    text += "\n" + failure_block(finding, "", paint);
  }
  return text;
}

}  // namespace warpcheck::report

#include "report/console/bisection_text.hpp"

#include <fmt/format.h>

#include "report/failure_block.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using workflows::bisect::Bisection;
using workflows::bisect::Commit;
using workflows::bisect::Step;
using workflows::bisect::StepVerdict;

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

std::string step_text(const Commit& commit, const Step& step) {
  const char* const verdict = step.verdict == StepVerdict::good  ? "passes"
                              : step.verdict == StepVerdict::bad ? "fails"
                                                                 : "cannot run";
  return fmt::format("{} {}{}{}  ({})\n", commit.short_hash(), verdict,
                     step.reason.empty() ? "" : ": ", step.reason, commit.subject);
}

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
  for (const campaign::FindingReport& finding : bisection.findings) {
    text += "\n" + failure_block(finding, "", paint);
  }
  return text;
}

}  // namespace warpcheck::report

#include "report/console/bisection_text.hpp"

#include <fmt/format.h>

#include "report/console/failure_block.hpp"
#include "report/json/finding_json.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using workflows::bisect::Bisection;
using workflows::bisect::Commit;
using workflows::bisect::Step;
using workflows::bisect::StepVerdict;

std::string commits(const Bisection& bisection) {
  std::string text = fmt::format("{} step{}", bisection.steps, bisection.steps == 1 ? "" : "s");
  if (bisection.skipped != 0) {
    text += fmt::format(", of which {} could not be run", bisection.skipped);
  }
  return text;
}

std::string field(const Paint& paint, const char* name, const std::string& value) {
  return fmt::format("  {} {}\n", paint(Ink::faint, fmt::format("{:<10}", name)), value);
}

}  // namespace

std::string text(const Commit& commit, const Step& step) {
  const char* const verdict = step.verdict == StepVerdict::good  ? "passes"
                              : step.verdict == StepVerdict::bad ? "fails"
                                                                 : "cannot be run";
  return fmt::format("{} {}{}{}  ({})\n", commit.short_hash(), verdict,
                     step.reason.empty() ? "" : ": ", step.reason, commit.subject);
}

std::string text(const Bisection& bisection, const Paint& paint) {
  std::string text;
  if (bisection.bad.size() > 1) {
    text += fmt::format(
        "the first bad commit is one of {}, because the commits between them cannot be run; {}\n",
        bisection.bad.size(), commits(bisection));
    for (const Commit& commit : bisection.bad) {
      text += fmt::format("  {} {}\n", commit.hash, commit.subject);
    }
    return text;
  }
  const Commit& first = bisection.bad.front();
  text += fmt::format("first bad commit: {}, after {}\n", paint(Ink::red, first.hash),
                      commits(bisection));
  text += field(paint, "subject", first.subject);
  text += field(paint, "author", first.author);
  text += field(paint, "date", first.date);
  text += field(paint, "compare", bisection.diff_command);
  for (const properties::campaign::FindingReport& finding : bisection.findings) {
    text += "\n" + failure_block(finding, "", paint);
  }
  return text;
}

std::string json(const Bisection& bisection) {
  Json commits = Json::array();
  for (const Commit& commit : bisection.bad) {
    commits.push_back({{"commit", commit.hash},
                       {"subject", commit.subject},
                       {"author", commit.author},
                       {"date", commit.date}});
  }
  Json findings = Json::array();
  for (const properties::campaign::FindingReport& finding : bisection.findings) {
    findings.push_back(finding_json("finding", finding));
  }
  const Json event = {{"event", "bisection"},
                      {"commits", commits},
                      {"steps", bisection.steps},
                      {"skipped", bisection.skipped},
                      {"findings", findings}};
  return event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpcheck::report

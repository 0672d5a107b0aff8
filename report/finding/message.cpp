#include "report/finding/message.hpp"

#include <fmt/format.h>

#include <string_view>

#include "report/finding/hang_text.hpp"
#include "report/finding/race_text.hpp"

namespace warpcheck::report {
namespace {

/// The end of a sentence. `verb`: "changes" or "raises".
std::string option_text(UserOption option, std::string_view verb) {
  switch (option) {
    case UserOption::none:
      return "";
    case UserOption::instructions:
      return fmt::format("; `--limit instructions=N` {} it", verb);
    case UserOption::blocks:
      return fmt::format("; `--limit blocks=N` {} it", verb);
    case UserOption::memory:
      return fmt::format("; `--limit memory=N` {} the limit of a launch", verb);
    case UserOption::strict_launch:
      return ", or check them with --strict-launch";
    case UserOption::weak_volatile:
      return "; `--volatile weak` reports races of volatile accesses";
  }
  return "";
}

std::string sentence(const Finding& finding) {
  if (finding.race) return race_text(finding);
  if (finding.hang) return hang_text(finding);
  if (finding.budget) return budget_text(*finding.budget);
  return finding.message;
}

}  // namespace

std::string message_text(const Finding& finding) {
  std::string text = sentence(finding);
  if (finding.schedule != 0) {
    text += fmt::format(" (in schedule {} of {})", finding.schedule, finding.schedules);
  }
  if (finding.unfinished_launch != 0) {
    text += fmt::format(" (launch {} before it was not executed to its end)",
                        finding.unfinished_launch);
  }
  return text + option_text(finding.option, "changes");
}

std::string reason_text(const device::Unsupported& what) {
  std::string text = what.reason;
  if (what.undecided) text += ": " + message_text(*what.undecided);
  return text + option_text(what.option, "raises");
}

}  // namespace warpcheck::report

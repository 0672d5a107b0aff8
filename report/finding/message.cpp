#include "report/finding/message.hpp"

#include <fmt/format.h>

#include <string_view>

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

}  // namespace

std::string message_text(const Finding& finding) {
  return finding.message + option_text(finding.option, "changes");
}

std::string reason_text(const device::Unsupported& what) {
  return what.reason + option_text(what.option, "raises");
}

}  // namespace warpcheck::report

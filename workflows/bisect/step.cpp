#include "workflows/bisect/step.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/paths.hpp"
#include "campaign/replay.hpp"
#include "device/interruptible_device.hpp"

namespace warpcheck::workflows::bisect {
namespace {

using campaign::FindingReport;
using targets::LocatedCase;
using targets::Target;

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// "out-of-bounds at mine.cu:18"
std::string summary(const FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  std::string text(name(report.finding.kind));
  if (source.line != 0) text += fmt::format(" at {}:{}", shown_path(source.file), source.line);
  return text;
}

Step skip(std::string reason) { return {StepVerdict::skip, std::move(reason), {}}; }

/// "unsupported on the virtual device: wgmma.fence.sync.aligned"
Step skip_unsupported(const campaign::VariantReport& report) {
  Step step = skip(fmt::format("unsupported on the {} device: {}", report.device,
                               report.unsupported.front().what.form));
  step.unsupported = true;
  return step;
}

Step run_cases(const std::vector<LocatedCase>& cases, const std::vector<Target>& targets,
               const StepOptions& options) {
  const auto opened = options.open_device();
  device::InterruptibleDevice device(*opened);
  Step step;
  bool launched = false;
  std::string not_launched;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    campaign::ReplayReport replayed = campaign::replay(targets[i].variant, cases[i].problem, device,
                                                       options.listener, options.strict);
    if (!replayed.outside.empty()) {
      return skip(fmt::format("outside the domain, which requires {}", replayed.outside));
    }
    if (replayed.report.verdict == campaign::Verdict::unsupported) {
      return skip_unsupported(replayed.report);
    }
    launched = launched || replayed.not_launched.empty();
    not_launched = replayed.not_launched;
    for (FindingReport& finding : replayed.report.findings) {
      step.findings.push_back(std::move(finding));
    }
  }
  if (!launched) return skip("nothing is launched: " + not_launched);
  step.verdict = step.findings.empty() ? StepVerdict::good : StepVerdict::bad;
  if (!step.findings.empty()) step.reason = summary(step.findings.front());
  return step;
}

}  // namespace

Step run_step(const std::vector<LocatedCase>& cases, const std::string& in,
              const StepOptions& options) {
  try {
    return run_cases(cases, targets_of(cases, in), options);
  } catch (const InputError& error) {
    return skip(first_line(error.diagnostics().front().message));
  }
}

}  // namespace warpcheck::workflows::bisect

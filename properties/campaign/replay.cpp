#include "properties/campaign/replay.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/diagnostic.hpp"
#include "properties/campaign/minimize_and_confirm.hpp"
#include "properties/campaign/programs.hpp"
#include "properties/case/domain.hpp"

namespace warpcheck::properties::campaign {

ReplayReport replay(const contract::Variant& variant, const Case& problem, device::Device& device,
                    Listener& listener, bool strict_races) {
  const auto start = std::chrono::steady_clock::now();
  const checks::Property& asked = checks::property(problem.property);
  if (!asked.applies(variant.contract)) {
    throw request_error(fmt::format("{} says nothing about {}", asked.name, variant.contract.name));
  }
  Programs programs(device);
  const RunContext bench{variant, device, programs.of(variant),
                         [&](const Case& line) { listener.launching(line); }, strict_races};
  const Case line = checks::adapted(asked, variant.contract, problem);
  const checks::PropertyResult answer = ask(bench, asked, line, true);

  ReplayReport replayed;
  replayed.outside = violated(variant.contract, line).value_or("");
  replayed.printed = answer.printed;
  replayed.launched = answer.launched;
  VariantReport& report = replayed.report;
  report.variant = variant.contract.name;
  report.device = device.name();
  report.cases = 1;
  report.acceptance = {1, replayed.outside.empty() ? 1 : 0, replayed.outside};
  report.sensitivity = answer.sensitivity.value_or(1.0);
  for (const run::Evidence& evidence : answer.evidence) {
    report.findings.push_back(report_of(bench, asked, line, evidence));
  }
  for (const run::Evidence& note : answer.notes) {
    report.notes.push_back(report_of(bench, asked, line, note));
  }
  if (!report.findings.empty()) {
    report.verdict = Verdict::finding;
  } else if (answer.sensitivity == 0.0) {
    report.mistrusted = 1;
    report.verdict = Verdict::mistrusted;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return replayed;
}

}  // namespace warpcheck::properties::campaign

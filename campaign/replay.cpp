#include "campaign/replay.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/programs.hpp"

namespace warpcheck::campaign {
namespace {

/// The reason that a case launches nothing.
std::string skip_reason(const contract::Contract& contract, const Case& problem) {
  if (!has_no_output(contract, problem)) return "the condition 'when' of every launch is false";
  std::vector<std::string> empty;
  for (const CaseField& field : case_schema(contract).fields) {
    if (field.is_output_extent() && field.get(problem) == 0) empty.push_back(field.name);
  }
  if (empty.empty()) return "no output has an element";
  return fmt::format("{} {} 0", fmt::join(empty, " and "), empty.size() == 1 ? "is" : "are");
}

}  // namespace

ReplayReport replay(const contract::Variant& variant, const Case& problem, device::Device& device,
                    Listener& listener, const Strictness& strict) {
  const auto start = std::chrono::steady_clock::now();
  const properties::Law& property = properties::law(problem.property);
  if (!property.applies(variant.contract)) {
    throw request_error(
        fmt::format("{} does not apply to {}", property.name, variant.contract.name));
  }
  Programs programs(device);
  const run::Context context{variant, device, programs.of(variant),
                             [&](const Case& line) { listener.launching(line); }, strict};
  const Case line = properties::adapted(property, variant.contract, problem);
  const campaign::checks::CheckResult result = check_law(property, context, line, true);

  ReplayReport replayed;
  replayed.outside = violated(variant.contract, line).value_or("");
  replayed.printed = result.printed;
  if (!result.launched) replayed.not_launched = skip_reason(variant.contract, line);
  VariantReport& report = replayed.report;
  report.variant = variant.contract.name;
  report.device = device.name();
  report.cases = 1;
  report.acceptance = {1, replayed.outside.empty() ? 1 : 0, replayed.outside};
  report.properties = {{std::string(property.name), 0, 0.0}};
  if (result.unsupported) report.unsupported.push_back({*result.unsupported, line});
  if (result.sensitivity || !result.unsupported) {
    report.sensitivity = result.sensitivity.value_or(1.0);
  }
  report.error_over_bound = result.error_over_bound;
  for (const run::Evidence& evidence : result.evidence) {
    report.findings.push_back(report_of(context, property, line, evidence));
  }
  for (const run::Evidence& note : result.notes) {
    report.notes.push_back(report_of(context, property, line, note));
  }
  if (!report.findings.empty()) {
    report.verdict = Verdict::finding;
  } else if (result.unsupported) {
    report.verdict = Verdict::unsupported;
  } else if (result.sensitivity == 0.0) {
    report.mistrusted = 1;
    report.verdict = Verdict::mistrusted;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (result.launched && !result.unsupported) {
    report.properties.front() = {std::string(property.name), 1, report.seconds};
  }
  return replayed;
}

}  // namespace warpcheck::campaign

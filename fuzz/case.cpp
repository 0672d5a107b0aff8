// Checks the cases of built-in variants that an input has as case lines. Built-in variants are
// correct, so any finding is a defect of warpcheck. The coverage of the kernels guides libFuzzer.
#include "campaign/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/programs.hpp"
#include "device/virtual/virtual_device.hpp"
#include "fuzz/checked_variants.hpp"
#include "fuzz/covering_device.hpp"
#include "fuzz/target.hpp"
#include "report/finding/message.hpp"
#include "workflows/fuzz/input_scheduler.hpp"

namespace {

using namespace warpcheck;
using campaign::Case;
using workflows::fuzz::PropertyCase;

/// Returns the case with its property; empty if the line names no property that applies to it.
std::optional<PropertyCase> input(const campaign::run::Context& context, const Case& problem) {
  try {
    return workflows::fuzz::property_case_of(context, problem);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void check(const contract::Variant& variant, const Case& problem) {
  static fuzz::CoveringDevice device(device::make_virtual_device());
  static campaign::Programs programs(device);
  const campaign::run::Context context{variant, device, programs.of(variant)};
  const auto checked = input(context, problem);
  if (!checked) return;
  campaign::checks::CheckResult answer;
  try {
    answer = check_law(*checked->property, context, checked->problem, false);
  } catch (const InputError& error) {
    fuzz::fail(fmt::format("{}\nis rejected: {}", to_line(checked->problem), error.what()));
  }
  if (answer.evidence.empty()) return;
  const Finding& finding = answer.evidence.front().finding;
  fuzz::fail(fmt::format("{}\n{}: {}", to_line(checked->problem), name(finding.kind),
                         report::message_text(finding)));
}

std::vector<Case> cases_in(std::string_view text) {
  try {
    return campaign::parse_cases(text, "input");
  } catch (const InputError&) {
    return {};  // the target `case_line` checks the errors
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const Case& problem : cases_in(fuzz::text_of(data, size))) {
    for (const contract::Variant& variant : fuzz::checked_variants()) {
      if (variant.contract.name == problem.variant) check(variant, problem);
    }
  }
  return 0;
}

#include "workflows/exec/run/program_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/demangle.hpp"
#include "workflows/exec/run/symbolize.hpp"

namespace warpcheck::workflows::exec {
namespace {

using campaign::FindingReport;
using campaign::UnsupportedForm;
using campaign::VariantReport;
using campaign::Verdict;

/// True if code of the Toolkit alone uses an undefined value, or alone has a race: CUB computes on
/// items beyond the end of a range and drops the results, and orders its blocks by relaxed
/// accesses.
bool is_internal(const Finding& finding, const Strictness& strict) {
  if (!is_library_code(finding.source.file)) return false;
  if (finding.kind == FindingClass::uninitialized_read) return true;
  return finding.kind == FindingClass::race && !strict.races && finding.other &&
         is_library_code(finding.other->source.file);
}

/// The variant of findings that belong to no kernel has calls of the CUDA runtime as its cases.
std::string variant_name(const std::string& kernel) {
  return kernel.empty() ? "calls of the host" : demangle(kernel);
}

/// The stack of a launch or of a wrong call, with its source lines.
device::RelatedStack stack_of(const std::string& kernel, device::HostStack frames) {
  symbolize(frames);
  // nvcc gives the function of the host that launches a kernel the kernel's name.
  const std::string name = demangle(kernel);
  std::erase_if(frames, [&](const device::HostFrame& frame) {
    return frame.function == name && !frame.object.empty();
  });
  return {kernel.empty() ? "called by" : device::kLaunchedBy, std::move(frames)};
}

/// A test of the program as a call.
device::RelatedStack stack_of_test(const std::string& test) {
  device::HostFrame frame;
  frame.function = test;
  return {"test", {std::move(frame)}};
}

/// A finding without a line of a kernel, such as a wrong call, is at the line of the host.
SourcePlace place_of(const device::HostStack& stack) {
  SourcePlace place;
  const auto known = std::find_if(stack.begin(), stack.end(),
                                  [](const device::HostFrame& frame) { return frame.line != 0; });
  if (known != stack.end()) {
    place.file = known->file;
    place.line = known->line;
  }
  return place;
}

}  // namespace

VariantReport& ProgramReport::variant(const std::string& kernel) {
  const std::string name = variant_name(kernel);
  auto& all = campaign_.variants;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const VariantReport& one) { return one.variant == name; });
  if (found != all.end()) return *found;
  VariantReport& added = all.emplace_back();
  added.variant = name;
  added.device = "virtual";
  return added;
}

ProgramReport::Added ProgramReport::add(runtime::FindingEvent event) {
  Added added;
  FindingReport& report = added.report;
  report.variant = variant_name(event.kernel);
  report.device = "virtual";
  report.launch = event.launch;
  report.stacks.push_back(stack_of(event.kernel, std::move(event.stack)));
  if (!event.test.empty()) report.stacks.push_back(stack_of_test(event.test));
  for (device::RelatedStack& related : event.related) {
    symbolize(related.frames);
    report.stacks.push_back(std::move(related));
  }
  report.finding = std::move(event.finding);
  const SourcePlace& source = report.finding.source;
  if ((source.line == 0 && source.ptx_line == 0) || runtime::is_of_device_runtime(event.kernel)) {
    report.finding.source = place_of(report.stacks.front().frames);
  }
  report.excerpt = campaign::run::excerpt({}, report.finding.source);
  if (report.finding.other) {
    report.other_excerpt = campaign::run::excerpt({}, report.finding.other->source);
  }
  report.finding.unfinished_launch = event.after;
  added.is_note = event.after != 0 || is_note(report.finding.grade, strict_) ||
                  is_internal(report.finding, strict_);
  if (!added.is_note) suppressions_.apply(report);
  if (event.is_allowed) report.known = "the marker of " + event.test + " allows it";
  VariantReport& kernel = variant(event.kernel);
  (added.is_note ? kernel.notes : kernel.findings).push_back(report);
  return added;
}

ProgramReport::AddedForm ProgramReport::add(runtime::UnsupportedEvent event) {
  AddedForm added{variant_name(event.kernel), {std::move(event.what), {}}};
  added.form.stacks.push_back(stack_of(event.kernel, std::move(event.stack)));
  variant(event.kernel).unsupported.push_back(added.form);
  return added;
}

contract::TargetError ProgramReport::add(const runtime::ErrorEvent& event) {
  Diagnostic error;
  error.message = event.message;
  campaign_.errors.push_back({"the program", {std::move(error)}});
  return campaign_.errors.back();
}

campaign::CampaignReport ProgramReport::finish(const ProgramResult& result, double seconds) {
  for (const runtime::KernelRuns& kernel : result.totals.kernels) {
    if (kernel.runs == 0) continue;
    VariantReport& report = variant(kernel.name);
    report.cases += static_cast<std::int64_t>(kernel.runs);
    report.seconds += kernel.seconds;
  }
  if (result.has_runtime) {
    variant("").cases = static_cast<std::int64_t>(result.totals.calls);
  } else {
    campaign_.not_run = "the program used no CUDA runtime that warpcheck can replace";
  }
  const bool is_incomplete =
      std::any_of(campaign_.variants.begin(), campaign_.variants.end(),
                  [](const VariantReport& one) { return !one.unsupported.empty(); });
  if (result.status == 0 && result.totals.launches == 0 && result.totals.skipped != 0 &&
      !is_incomplete) {
    campaign_.not_run = "`--kernel`, `--launch-skip` and `--launch-count` select no launch";
  }
  campaign::CampaignReport campaign;
  campaign.errors = campaign_.errors;
  campaign.not_run = campaign_.not_run;
  for (VariantReport& report : campaign_.variants) {
    report.verdict = !report.findings.empty()      ? Verdict::finding
                     : !report.unsupported.empty() ? Verdict::unsupported
                                                   : Verdict::pass;
    campaign.add(report);
  }
  campaign.seconds = seconds;
  return campaign;
}

}  // namespace warpcheck::workflows::exec

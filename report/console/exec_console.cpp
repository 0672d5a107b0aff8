#include "report/console/exec_console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/text/demangle.hpp"
#include "report/call_stack_text.hpp"
#include "report/finding/message.hpp"
#include "report/unsupported_text.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {

using campaign::FindingReport;
using campaign::UnsupportedForm;

void ExecConsole::found(const FindingReport& finding) {
  if (finding.known.empty()) out_ << failure_block(finding, "", paint_, style_) << std::flush;
}

void ExecConsole::noted(const FindingReport& note) {
  out_ << note_line(note) << '\n' << std::flush;
}

void ExecConsole::not_checked(const contract::TargetError& error) {
  for (const Diagnostic& one : error.diagnostics) out_ << one.message << '\n' << std::flush;
}

void ExecConsole::evaluated(const Requirements& requirements) {
  for (const Requirement* open : requirements.open()) {
    out_ << "exec: " << open->reason << '\n' << std::flush;
  }
}

void ExecConsole::unsupported(const std::string& variant, const UnsupportedForm& form) {
  out_ << fmt::format("{}: {}\n",
                      paint_(Ink::yellow, fmt::format("unsupported: {}", form_text(form.what))),
                      visible(reason_text(form.what)));
  if (form.what.source.ptx_line != 0) {
    out_ << fmt::format("  {} {}\n", paint_(Ink::faint, "-->"), place_text(form.what.source));
  }
  if (form.stacks.front().title == device::kLaunchedBy) {
    out_ << fmt::format("  {} {}\n", paint_(Ink::faint, "kernel    "), visible(variant));
  }
  out_ << stacks_text(form.stacks, paint_) << std::flush;
}

std::string skipped_launches(const runtime::TotalsEvent& totals) {
  struct Launches {
    std::uint64_t skipped = 0;
    std::uint64_t all = 0;
  };
  std::map<std::string, Launches> kernels;  // keyed by name; a name may stand for several kernels
  for (const runtime::KernelRuns& runs : totals.kernels) {
    Launches& launches = kernels[runs.name];
    launches.skipped += runs.skipped;
    launches.all += runs.skipped + runs.runs;
  }
  std::string text;
  for (const auto& [name, launches] : kernels) {
    if (launches.skipped == 0) continue;
    text += fmt::format("exec: not executed: {} of {} launches of {}\n", launches.skipped,
                        launches.all, visible(demangle(name)));
  }
  return text;
}

std::string exec_summary(const runtime::TotalsEvent& totals,
                         const campaign::CampaignReport& campaign) {
  const auto number = [](std::size_t count, std::string_view thing) {
    return counted(static_cast<std::int64_t>(count), thing);
  };
  std::size_t findings = 0;
  std::size_t known = 0;
  std::size_t notes = 0;
  std::size_t unsupported = 0;
  for (const campaign::VariantReport& variant : campaign.variants) {
    const auto accepted =
        static_cast<std::size_t>(std::count_if(variant.findings.begin(), variant.findings.end(),
                                               [](const auto& one) { return !one.known.empty(); }));
    known += accepted;
    findings += variant.findings.size() - accepted;
    notes += variant.notes.size();
    unsupported += variant.unsupported.size();
  }
  std::string text =
      fmt::format("exec: {} of kernels, {} in {:.2f} s: {}", number(totals.launches, "run"),
                  number(totals.warp_instructions, "warp instruction"), campaign.seconds,
                  number(findings, "finding"));
  if (known != 0) text += fmt::format(", {} known", known);
  if (notes != 0) text += ", " + number(notes, "note");
  if (unsupported != 0) text += fmt::format(", {} unsupported", unsupported);
  if (totals.repeated != 0) text += fmt::format("; {} repeated", totals.repeated);
  if (totals.skipped != 0) text += "; " + number(totals.skipped, "skipped run");
  text += "\n";
  for (const runtime::UnsupportedCalls& one : totals.unsupported) {
    text += fmt::format("exec: {}: {}, unsupported\n", one.function, number(one.calls, "call"));
  }
  return text;
}

}  // namespace warpcheck::report

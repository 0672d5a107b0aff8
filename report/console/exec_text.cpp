#include "report/console/exec_text.hpp"

#include <fmt/format.h>

#include "base/text/demangle.hpp"
#include "properties/checks/property.hpp"
#include "report/unsupported_text.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using properties::campaign::FindingReport;
using workflows::exec::FindingEvent;
using workflows::exec::HostFrame;
using workflows::exec::HostStack;
using workflows::exec::UnsupportedEvent;

constexpr std::size_t kMostFrames = 8;

FindingReport report_of(const FindingEvent& event) {
  FindingReport report;
  report.variant = demangle(event.kernel);
  report.property = properties::checks::properties().front().name;
  report.finding = event.finding;
  report.excerpt = properties::run::excerpt({}, event.finding.source);
  if (event.finding.other) {
    report.other_excerpt = properties::run::excerpt({}, event.finding.other->source);
  }
  return report;
}

std::string frame_text(const HostFrame& frame) {
  const std::string function = frame.function.empty() ? "a function" : visible(frame.function);
  if (frame.line != 0)
    return fmt::format("{} at {}:{}", function, shown_path(frame.file), frame.line);
  const std::size_t slash = frame.object.rfind('/');
  return fmt::format("{} in {}", function,
                     visible(frame.object.substr(slash == std::string::npos ? 0 : slash + 1)));
}

/// The calls, one a line, below a title.
std::string stack_text(const std::string& title, const HostStack& stack, const Paint& paint) {
  std::string text;
  for (std::size_t i = 0; i < stack.size() && i < kMostFrames; ++i) {
    const std::string head = i == 0 ? title : "";
    text += fmt::format("  {} {}\n", paint(Ink::faint, fmt::format("{:<10}", head)),
                        frame_text(stack[i]));
  }
  if (stack.size() > kMostFrames) {
    text += fmt::format("  {:<10} ... and {} more calls\n", "", stack.size() - kMostFrames);
  }
  return text;
}

std::string kernel_line(const std::string& kernel, std::uint64_t launch, const Paint& paint) {
  if (kernel.empty()) return "";
  return fmt::format("  {} {}{}\n", paint(Ink::faint, fmt::format("{:<10}", "kernel")),
                     visible(demangle(kernel)),
                     launch == 0 ? "" : fmt::format(", launch {}", launch));
}

}  // namespace

std::string exec_block(const FindingEvent& event, const Paint& paint, const BlockStyle& style) {
  std::string text = failure_block(report_of(event), "", paint, style);
  text += kernel_line(event.kernel, event.launch, paint);
  text += stack_text(event.kernel.empty() ? "called by" : "launched by", event.stack, paint);
  for (const workflows::exec::RelatedStack& related : event.related) {
    text += stack_text(related.title, related.frames, paint);
  }
  return text;
}

std::string exec_note(const FindingEvent& event) { return note_line(report_of(event)) + "\n"; }

std::string exec_unsupported(const UnsupportedEvent& event, const Paint& paint) {
  std::string text = fmt::format(
      "{}: {}\n", paint(Ink::yellow, fmt::format("unsupported: {}", form_text(event.what))),
      visible(event.what.reason));
  if (event.what.source.ptx_line != 0) {
    text += fmt::format("  {} {}\n", paint(Ink::faint, "-->"), place_text(event.what.source));
  }
  text += kernel_line(event.kernel, 0, paint);
  return text + stack_text(event.kernel.empty() ? "called by" : "launched by", event.stack, paint);
}

std::string exec_summary(const workflows::exec::TotalsEvent& totals, const ExecTotals& found) {
  const auto number = [](std::uint64_t count, std::string_view thing) {
    return counted(static_cast<std::int64_t>(count), thing);
  };
  std::string text =
      fmt::format("exec: {} of kernels, {} in {:.2f} s: {}", number(totals.launches, "run"),
                  number(totals.warp_instructions, "warp instruction"), found.seconds,
                  number(found.findings, "finding"));
  if (found.notes != 0) text += ", " + number(found.notes, "note");
  if (found.unsupported != 0) text += fmt::format(", {} unsupported", found.unsupported);
  if (totals.repeated != 0) text += fmt::format("; {} repeated", totals.repeated);
  if (totals.skipped != 0) text += "; " + number(totals.skipped, "skipped run");
  return text + "\n";
}

}  // namespace warpcheck::report

#include "report/console/console.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "report/console/fuzz_text.hpp"
#include "report/failure_block.hpp"
#include "report/mistrust_text.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"
#include "workflows/fuzz/fuzzer.hpp"

namespace warpcheck::report {
namespace {

Ink ink_of(const properties::campaign::VariantReport& report) {
  if (report.verdict == properties::campaign::Verdict::pass) return Ink::green;
  return report.verdict == properties::campaign::Verdict::finding ? Ink::red : Ink::yellow;
}

}  // namespace

Console::Console(std::ostream& out, ConsoleOptions options)
    : out_(out), options_(std::move(options)), paint_(options_.colours) {}

void Console::print(const std::string& text) {
  if (std::exchange(has_progress_line_, false)) out_ << "\r\033[K";
  out_ << text << std::flush;
}

void Console::found(const properties::campaign::FindingReport& finding) {
  const std::string command =
      options_.replay_command ? options_.replay_command(finding.smallest) : std::string();
  print("\n" + failure_block(finding, command, paint_) + "\n");
}

void Console::noted(const properties::campaign::FindingReport& note) {
  if (!options_.quiet) print(note_line(note) + "\n");
}

void Console::print_unsupported(std::string_view variant, std::string_view device,
                                const std::vector<properties::campaign::UnsupportedForm>& forms) {
  for (const properties::campaign::UnsupportedForm& form : forms) {
    const std::string command =
        options_.replay_command ? options_.replay_command(form.problem) : std::string();
    print("\n" + unsupported_block(variant, device, form, command, paint_) + "\n");
  }
}

void Console::finished(const properties::campaign::VariantReport& report) {
  print_unsupported(report.variant, report.device, report.unsupported);
  if (!options_.quiet) print(row(report));
}

std::string Console::row(const properties::campaign::VariantReport& report) const {
  const Measures measured = measures(report);
  std::string line = fmt::format(
      "{:<{}}  {}  {:>6} cases  sensitivity {:>5}  level coverage {:>5}  pair coverage {:>5}  "
      "findings {}  {:6.1f} s",
      report.variant, options_.name_width,
      paint_(ink_of(report), fmt::format("{:<18}", verdict(report))), report.cases,
      percent(measured.sensitivity), percent(measured.level_coverage),
      percent(measured.pair_coverage), report.findings.size(), report.seconds);
  if (report.empty != 0) line += fmt::format("  {} empty", report.empty);
  if (report.stopped != 0) line += fmt::format("  {} stopped by the time limit", report.stopped);
  if (report.mistrusted != 0) line += fmt::format("  {} mistrusted", report.mistrusted);
  line += "\n";
  if (const std::string reason = mistrust_text(report); !reason.empty()) {
    line += fmt::format("  {} {}\n", paint_(Ink::yellow, "mistrusted:"), reason);
  }
  return line;
}

void Console::progress(const properties::campaign::Progress& progress) {
  show_progress(fmt::format("[{}/{}] {}: {} of {} cases, {}, {}, {:.0f} s", progress.index + 1,
                            progress.variants, progress.variant, progress.cases, progress.planned,
                            counted(static_cast<std::int64_t>(progress.findings), "finding"),
                            progress.activity, progress.seconds));
}

void Console::fuzzing(const workflows::fuzz::FuzzProgress& progress) {
  show_progress(fuzz_line(progress));
}

void Console::fuzzed(const workflows::fuzz::FuzzReport& report) {
  print_unsupported(report.variant, report.device, report.unsupported);
  if (!options_.quiet) print(fuzz_summary(report));
}

void Console::show_progress(const std::string& line) {
  if (!options_.live || options_.quiet) return;
  // Some terminals wrap when the last column is written, so it stays free.
  print(line.substr(0, std::max<std::size_t>(options_.columns, 2) - 1));
  has_progress_line_ = true;
}

void Console::launching(const properties::Case& problem) {
  if (options_.cases) print(to_line(problem) + "\n");
}

void Console::drifted(const workflows::history::Drift& drift) {
  print(fmt::format(
      "{} {}: error over bound {:.2g} -> {:.2g} typically, {:.2g} -> {:.2g} at most, in {} {} "
      "cases, since the campaign of {} UTC (source changed); usually {:.2g}\n",
      paint_(Ink::yellow, "drift:"), drift.variant, drift.before.typical, drift.now.typical,
      drift.before.largest, drift.now.largest, drift.cases, drift.same_cases ? "equal" : "similar",
      drift.since, drift.usual));
}

/// Repeats the lines of variants that did not pass, which are hard to find among many; a single
/// variant needs no repetition.
void Console::list_not_passed(const properties::campaign::CampaignReport& totals) {
  if (totals.variants.size() < 2 && !options_.quiet) return;
  std::string device;
  for (const properties::campaign::VariantReport& variant : totals.variants) {
    if (variant.verdict == properties::campaign::Verdict::pass) continue;
    if (variant.device != device) {
      device = variant.device;
      print(fmt::format("\nnot passed on the {} device:\n", device));
    }
    print(row(variant));
  }
  if (!device.empty()) print("\n");
}

void Console::summary(const properties::campaign::CampaignReport& totals) {
  list_not_passed(totals);
  const std::vector<std::string> blocking = blocking_forms(totals);
  if (!blocking.empty()) print("unsupported forms:\n");
  for (const std::string& form : blocking) print(fmt::format("  {}\n", form));
  const auto variants = static_cast<std::int64_t>(totals.variants.size());
  std::string outcome;
  const std::int64_t not_passed = totals.failed + totals.mistrusted + totals.unsupported;
  if (not_passed == 0) {
    outcome = paint_(Ink::green, variants == 1 ? "passed" : "all passed");
  } else {
    std::string others = fmt::format("{} failed, {} mistrusted", totals.failed, totals.mistrusted);
    if (totals.unsupported != 0) others += fmt::format(", {} unsupported", totals.unsupported);
    outcome = fmt::format("{} passed, ", variants - not_passed) +
              paint_(totals.failed != 0 ? Ink::red : Ink::yellow, others);
  }
  print(fmt::format("{}, {} in {:.1f} s: {}\n", counted(variants, "variant"),
                    counted(totals.cases, "case"), totals.seconds, outcome));
}

}  // namespace warpcheck::report

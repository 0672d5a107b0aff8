#include "report/console/console.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include "report/console/fuzz_text.hpp"
#include "report/failure_block.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"
#include "workflows/fuzz/fuzzer.hpp"

namespace warpcheck::report {
namespace {

Ink ink_of(const campaign::VariantReport& report) {
  if (report.verdict == campaign::Verdict::pass) return Ink::green;
  return report.verdict == campaign::Verdict::finding ? Ink::red : Ink::yellow;
}

}  // namespace

Console::Console(std::ostream& out, ConsoleOptions options)
    : out_(out),
      options_(std::move(options)),
      paint_(options_.colours),
      progress_(out, std::cerr, options_.progress) {}

void Console::print(const std::string& text) {
  progress_.erase();
  out_ << text << std::flush;
}

void Console::found(const campaign::FindingReport& finding) {
  const std::string command =
      options_.replay_command ? options_.replay_command(finding.smallest) : std::string();
  print("\n" + failure_block(finding, command, paint_, {options_.columns, options_.verbose}) +
        "\n");
}

void Console::noted(const campaign::FindingReport& note) {
  if (!options_.quiet) print(note_line(note) + "\n");
}

void Console::print_unsupported(std::string_view variant, std::string_view device,
                                const std::vector<campaign::UnsupportedForm>& forms) {
  for (const campaign::UnsupportedForm& form : forms) {
    const std::string command =
        options_.replay_command ? options_.replay_command(form.problem) : std::string();
    print("\n" + unsupported_block(variant, device, form, command, paint_) + "\n");
  }
}

void Console::finished(const campaign::VariantReport& report) {
  print_unsupported(report.variant, report.device, report.unsupported);
  if (!options_.quiet) print(row(report));
}

std::string Console::row(const campaign::VariantReport& report) const {
  const Measures measured = measures(report);
  std::string line = fmt::format(
      "{:<{}}  {}  {:>6} cases  sensitivity {:>5}  level coverage {:>5}  pair coverage {:>5}  "
      "findings {}  {:6.1f} s",
      report.variant, options_.name_width,
      paint_(ink_of(report), fmt::format("{:<18}", verdict(report))), report.cases,
      percent(measured.sensitivity), percent(measured.level_coverage),
      percent(measured.pair_coverage), report.findings.size(), report.seconds);
  if (const auto proved = proved_.find(report.variant); proved != proved_.end()) {
    line += "  proved " + proved->second;
  }
  if (report.empty != 0) line += fmt::format("  {} empty", report.empty);
  if (report.stopped != 0) line += fmt::format("  {} stopped by the time limit", report.stopped);
  if (report.mistrusted != 0) line += fmt::format("  {} mistrusted", report.mistrusted);
  line += "\n";
  if (const std::string reason = mistrust_text(report); !reason.empty()) {
    line += fmt::format("  {} {}\n", paint_(Ink::yellow, "mistrusted:"), reason);
  }
  return line;
}

void Console::progress(const campaign::Progress& progress) {
  ProgressState state;
  state.text = fmt::format("[{}/{}] {}: {} of {} {}, {}, {}", progress.index + 1, progress.variants,
                           progress.variant, progress.cases, progress.planned, progress.unit,
                           counted(static_cast<std::int64_t>(progress.findings), "finding"),
                           progress.activity);
  state.seconds = progress.seconds;
  state.cases = progress.all_cases;
  const double variant_share = static_cast<double>(progress.cases) /
                               static_cast<double>(std::max<std::int64_t>(progress.planned, 1));
  state.share = (static_cast<double>(progress.index) + std::min(variant_share, 1.0)) /
                static_cast<double>(progress.variants);
  if (progress.budget_seconds > 0.0) state.left = progress.budget_seconds - progress.seconds;
  progress_.show(std::move(state));
}

/// The error is printed to the standard error, below an erased progress line.
void Console::not_checked(const contract::TargetError& /*error*/) { print(""); }

void Console::without_contract(const std::vector<std::string>& files) {
  if (files.empty()) return;
  print(fmt::format("note: {} without a contract, not checked: {}\n",
                    counted(static_cast<std::int64_t>(files.size()), "file"), file_list(files)));
}

void Console::fuzzing(const workflows::fuzz::FuzzProgress& progress) {
  ProgressState state{fuzz_line(progress), progress.seconds};
  state.left = progress.seconds_left;
  progress_.show(std::move(state));
}

void Console::fuzzed(const workflows::fuzz::FuzzReport& report) {
  print_unsupported(report.variant, report.device, report.unsupported);
  if (!options_.quiet) print(fuzz_summary(report));
}

void Console::launching(const campaign::Case& problem) {
  if (options_.verbose) print(to_line(problem) + "\n");
}

void Console::drifted(const workflows::history::Drift& drift) {
  print(fmt::format(
      "{} {}: error over bound {:.2g} -> {:.2g} typically, {:.2g} -> {:.2g} at most, in {} {} "
      "cases, since the campaign of {} UTC (source changed); usually {:.2g}\n",
      paint_(Ink::yellow, "drift:"), drift.variant, drift.before.typical, drift.now.typical,
      drift.before.largest, drift.now.largest, drift.cases, drift.same_cases ? "equal" : "similar",
      drift.since, drift.usual));
}

/// A refuted property is a finding of the campaign.
void Console::proved(const workflows::prove::VariantResult& result) {
  proved_[result.variant] = proved_text(result);
  if (options_.quiet) return;
  for (const workflows::prove::PropertyResult& property : result.properties) {
    if (property.status() != workflows::prove::Status::unknown) continue;
    print(fmt::format("note: {}\n", printable(open_text(result.variant, property))));
  }
}

/// Repeats the lines of variants that did not pass, which are hard to find among many; a single
/// variant needs no repetition.
void Console::list_not_passed(const campaign::CampaignReport& totals) {
  if (totals.variants.size() < 2 && !options_.quiet) return;
  std::string device;
  for (const campaign::VariantReport& variant : totals.variants) {
    if (variant.verdict == campaign::Verdict::pass) continue;
    if (variant.device != device) {
      device = variant.device;
      print(fmt::format("\nnot passed on the {} device:\n", device));
    }
    print(row(variant));
  }
  if (!device.empty()) print("\n");
}

/// Errors were printed before the campaign, so that the names of several targets are repeated.
void Console::list_not_checked(const campaign::CampaignReport& totals) {
  if (totals.variants.size() + totals.errors.size() < 2 || totals.errors.empty()) return;
  print("not checked because of errors:\n");
  for (const contract::TargetError& error : totals.errors) {
    print(fmt::format("  {}\n", printable(shown_path(error.target))));
  }
}

void Console::summary(const campaign::CampaignReport& totals) {
  list_not_passed(totals);
  list_not_checked(totals);
  const std::vector<std::string> blocking = blocking_forms(totals);
  if (!blocking.empty()) print("unsupported forms:\n");
  for (const std::string& form : blocking) print(fmt::format("  {}\n", form));
  const auto variants = static_cast<std::int64_t>(totals.variants.size());
  std::string outcome;
  const std::int64_t not_passed = totals.failed + totals.mistrusted + totals.unsupported;
  const Outcome verdict = outcome_of(totals, requirements_);
  if (verdict == Outcome::passed) {
    outcome = paint_(Ink::green, variants == 1 ? "passed" : "all passed");
  } else {
    const auto open = static_cast<std::int64_t>(requirements_.open().size());
    std::string others = fmt::format("{} failed, {} mistrusted", totals.failed, totals.mistrusted);
    if (totals.unsupported != 0) others += fmt::format(", {} unsupported", totals.unsupported);
    if (!totals.errors.empty()) others += fmt::format(", {} not checked", totals.errors.size());
    if (open != 0) others += fmt::format(", {} not met", counted(open, "requirement"));
    const bool is_red = totals.failed != 0 || verdict == Outcome::error || open != 0;
    outcome = fmt::format("{} passed, ", variants - not_passed) +
              paint_(is_red ? Ink::red : Ink::yellow, others);
  }
  print(fmt::format("{}, {} in {:.1f} s: {}\n", counted(variants, "variant"),
                    counted(totals.cases, "case"), totals.seconds, outcome));
}

}  // namespace warpcheck::report

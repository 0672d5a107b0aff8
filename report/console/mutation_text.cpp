#include "report/console/mutation_text.hpp"

#include <cmath>

#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using workflows::mutate::Fate;
using workflows::mutate::MutantReport;
using workflows::mutate::MutationReport;
using workflows::mutate::Score;

constexpr std::string_view kRow =
    "  {:<20} {:>6} {:>6} {:>7} {:>9} {:>12} {:>12} {:>11} {:>9} {:>8}\n";

/// Rounded down to a tenth of a percent.
std::string score_percent(double share) {
  return fmt::format("{:.1f} %", std::floor(share * 1000.0 + 1e-9) / 10.0);
}

std::string mutant_place(const MutantReport& mutant) {
  std::string text = place_text(mutant.place);
  if (mutant.place.line == 0) return text;
  for (const CallSite& call : mutant.place.calls) {
    text += fmt::format(", from {}:{}", shown_path(call.file), call.line);
  }
  return text;
}

std::string ptx_change(const MutantReport& mutant) {
  std::string text = fmt::format("    - {}\n", mutant.place.instruction);
  if (!mutant.after.empty()) text += fmt::format("    + {}\n", mutant.after);
  return text;
}

std::string score_row(std::string_view name, const Score& score, double mean_cases) {
  const bool none = score.run() == score.equivalent + score.unreachable + score.within_bound;
  return fmt::format(kRow, name, score.possible, score.run(), score.killed, score.survived,
                     score.not_reached, score.unreachable, score.equivalent,
                     none ? "-" : score_percent(score.share()),
                     score.killed == 0 ? "-" : fmt::format("{:.1f}", mean_cases));
}

/// The mutants that no honest bound shows, and the score with them.
std::string within_bound_text(const Score& score) {
  if (score.within_bound == 0) return {};
  return fmt::format(
      "  within-bound             {} mutants not counted above; score {} if they count as "
      "survivors\n",
      score.within_bound, score_percent(score.least_share()));
}

std::string survivor(const MutantReport& mutant, const Paint& paint) {
  std::string text = fmt::format(
      "\n{} {} at {}: {}\n",
      paint(Ink::yellow, fmt::format("{}:", workflows::mutate::name(mutant.fate))), mutant.planted,
      mutant_place(mutant),
      mutant.fate == Fate::not_reached ? "no case reached it"
                                       : fmt::format("{} cases reached it", mutant.reached));
  for (std::size_t i = 0; i < mutant.excerpt.lines.size(); ++i) {
    const std::size_t number = mutant.excerpt.first_line + i;
    if (number != mutant.excerpt.line) continue;
    text += fmt::format("  > {:>4} | {}\n", number, mutant.excerpt.lines[i]);
  }
  return text + ptx_change(mutant);
}

std::string no_defects(const MutationReport& report, Fate fate, std::string_view title) {
  std::string text;
  for (const MutantReport& mutant : report.mutants) {
    if (mutant.fate != fate) continue;
    if (text.empty()) text = fmt::format("\n{}:\n", title);
    text += fmt::format("  {} at {}\n{}", mutant.planted, mutant_place(mutant), ptx_change(mutant));
  }
  return text;
}

}  // namespace

std::string mutation_text(const MutationReport& report, const Paint& paint) {
  const Score& score = report.score;
  std::string text = fmt::format(
      "{}: {} of {} mutants, {} cases each, {:.1f} s: {}\n\n", paint(Ink::bold, report.variant),
      score.run(), score.possible, report.cases, report.seconds,
      paint(Ink::bold, fmt::format("score {}", score_percent(score.share()))));
  text += fmt::format(kRow, "operator", "of", "run", "killed", "survived", "not reached",
                      "unreachable", "equivalent", "score", "cases");
  std::int64_t kills = 0;
  for (const MutantReport& mutant : report.mutants) kills += mutant.kill ? mutant.kill->cases : 0;
  for (const auto& of : report.operators) text += score_row(of.planted, of.score, of.mean_cases);
  text += score_row(
      "all", score,
      score.killed == 0 ? 0.0 : static_cast<double>(kills) / static_cast<double>(score.killed));
  text += within_bound_text(score);
  for (const MutantReport& mutant : report.mutants) {
    if (mutant.fate == Fate::survived || mutant.fate == Fate::not_reached) {
      text += survivor(mutant, paint);
    }
  }
  text += no_defects(report, Fate::unreachable,
                     "unreachable: no thread of a block of the contract's shape reaches it");
  text += no_defects(report, Fate::within_bound,
                     "within-bound: one instruction rounds to the other neighbour of its exact "
                     "result, and every case accepts that");
  text += no_defects(report, Fate::equivalent,
                     "equivalent: the same accesses and the same bytes on all cases");
  return text;
}

std::string mutant_list(const MutationReport& report) {
  std::string text = fmt::format("{}: {} of {} mutants\n", report.variant, report.mutants.size(),
                                 report.score.possible);
  for (const MutantReport& mutant : report.mutants) {
    text += fmt::format("  {} at {}\n{}", mutant.planted, mutant_place(mutant), ptx_change(mutant));
  }
  return text;
}

}  // namespace warpcheck::report

#include "report/console/init_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text/replaced_all.hpp"
#include "campaign/case/case.hpp"
#include "report/finding/message.hpp"
#include "workflows/init/operations/operation_search.hpp"

namespace warpcheck::report {
namespace {

using campaign::FindingReport;
using campaign::Verdict;
using workflows::init::GuessedContract;
using workflows::init::InitReport;

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "1 contract tried", "12 contracts tried".
std::string tried(const GuessedContract& contract) {
  return plural(contract.tried, "contract") + " tried" +
         (contract.is_incomplete ? ", and not all, because a limit ended the search" : "");
}

/// The finding that depends least on the guesses: a race rather than a wrong result.
const FindingReport& most_certain(const std::vector<FindingReport>& findings) {
  const auto certain = std::find_if(findings.begin(), findings.end(), [](const auto& report) {
    return !workflows::init::may_be_of_contract(report.finding.kind);
  });
  return certain == findings.end() ? findings.front() : *certain;
}

std::string failure_of(const GuessedContract& contract, const std::string& target) {
  const FindingReport& finding = most_certain(contract.report->findings);
  std::string text = fmt::format(
      "{}: fails, {}; {}\n  {}\n  correct the contract, or find where the kernel is right: "
      "warpcheck explore {}\n",
      contract.draft.name, name(finding.finding.kind), tried(contract), to_line(finding.smallest),
      target);
  if (contract.may_be_other) {
    text += "  if it is no matrix product, define what it computes: docs/operations.md\n";
  }
  return text;
}

/// The device cannot execute the kernel.
std::string undecided(const GuessedContract& contract) {
  const auto& unsupported = contract.report->unsupported;
  return fmt::format("{}: not checked: the virtual device does not support {}\n",
                     contract.draft.name,
                     unsupported.empty() ? "an instruction" : unsupported.front().what.form);
}

/// The defect that the guessed `requires` may hide; empty if there is none.
std::string without_limits(const GuessedContract& contract) {
  if (!contract.failure_without_limits) return "";
  const Finding& finding = contract.failure_without_limits->finding;
  return fmt::format(
      "  without `requires`: {} in line {}: {}\n  if this limit is not meant, correct the "
      "kernel\n",
      name(finding.kind), finding.source.line, message_text(finding));
}

/// The operation is none of the known ones.
std::string undefined(const GuessedContract& contract) {
  std::string text = fmt::format(
      "{}: write what it computes as `define`; docs/operations.md describes the language; {}\n",
      contract.draft.name, tried(contract));
  if (contract.failure_of_any) {
    const Finding& finding = contract.failure_of_any->finding;
    const auto grid = contract.draft.notes.find("grid");
    const bool is_launched =
        grid != contract.draft.notes.end() && grid->second.starts_with("from the launch");
    const bool is_certain = is_launched && !workflows::init::may_be_of_contract(finding.kind);
    text += fmt::format(
        "  {} {} in line {}: {}\n",
        is_certain ? "it is wrong, whatever it computes:" : "each of them fails, this one with",
        name(finding.kind), finding.source.line, message_text(finding));
  }
  return text + without_limits(contract);
}

/// The failure of an extreme case.
std::string beyond(const campaign::FindingReport& finding) {
  return fmt::format("  all sizes are at most {}; beyond that it fails, {}:\n  {}\n",
                     workflows::init::kOrdinarySize, name(finding.finding.kind),
                     to_line(finding.smallest));
}

std::string to_be_confirmed(const GuessedContract& contract) {
  return fmt::format("  guessed, to be confirmed: {}\n",
                     fmt::join(contract.draft.guessed_keys(), ", "));
}

std::string passing(const GuessedContract& contract) {
  std::string text = fmt::format("{}: passes {}; {}\n", contract.draft.name,
                                 plural(contract.report->cases, "case"), tried(contract));
  const auto& operation = contract.draft.operation;
  if (operation && !operation->other_definitions.empty()) {
    text += fmt::format("  {} definitions pass the same cases; choose the one that is meant:\n",
                        operation->other_definitions.size() + 1);
    text += "    " + replaced_all(operation->define, "\n", "; ") + "\n";
    for (const std::string& one : operation->other_definitions) {
      text += "    " + replaced_all(one, "\n", "; ") + "\n";
    }
  }
  text += to_be_confirmed(contract);
  text += without_limits(contract);
  return contract.failure_beyond ? text + beyond(*contract.failure_beyond) : text;
}

std::string result_of(const GuessedContract& contract, const std::string& target) {
  if (!contract.no_contract.empty()) {
    return fmt::format("{}: no contract: {}\n", contract.draft.kernel, contract.no_contract);
  }
  if (!contract.not_compiled.empty()) {
    return fmt::format("{}: not checked, because it is not compiled:\n{}\n", contract.draft.name,
                       contract.not_compiled);
  }
  if (contract.is_undefined) return undefined(contract);
  if (!contract.report) return fmt::format("{}: not checked\n", contract.draft.name);
  if (!contract.report->findings.empty()) return failure_of(contract, target);
  if (contract.report->verdict == Verdict::unsupported) return undecided(contract);
  if (contract.report->verdict == Verdict::mistrusted) {
    return fmt::format(
               "{0}: no failure in {1}, but they cannot show every defect; {2}\n  run more cases: "
               "warpcheck check {3}\n",
               contract.draft.name, plural(contract.report->cases, "case"), tried(contract),
               target) +
           to_be_confirmed(contract);
  }
  return passing(contract);
}

}  // namespace

std::string init_text(const InitReport& report, const std::string& target) {
  std::string text;
  for (const GuessedContract& contract : report.contracts) text += result_of(contract, target);
  text += fmt::format("{} in {:.1f} s\n", plural(std::ssize(report.contracts), "contract"),
                      report.seconds);
  return text;
}

}  // namespace warpcheck::report

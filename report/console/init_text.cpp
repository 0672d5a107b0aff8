#include "report/console/init_text.hpp"

#include <fmt/format.h>

#include "properties/case/case.hpp"

namespace warpcheck::report {
namespace {

using properties::campaign::Verdict;
using workflows::init::GuessedContract;
using workflows::init::InitReport;

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "1 contract tried", "12 contracts tried".
std::string tried(const GuessedContract& contract) {
  return plural(contract.tried, "contract") + " tried";
}

std::string failure_of(const GuessedContract& contract, const std::string& target) {
  const auto& finding = contract.report->findings.front();
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

/// The operation is none of the known ones.
std::string undefined(const GuessedContract& contract) {
  std::string text = fmt::format(
      "{}: write what it computes as `define`; docs/operations.md describes the language; {}\n",
      contract.draft.name, tried(contract));
  if (contract.failure_of_any) {
    const Finding& finding = contract.failure_of_any->finding;
    text += fmt::format("  each of them fails, this one with {} in line {}: {}\n",
                        name(finding.kind), finding.source.line, finding.message);
  }
  return text;
}

/// The failure of an extreme case.
std::string beyond(const properties::campaign::FindingReport& finding) {
  return fmt::format("  all sizes are at most {}; beyond that it fails, {}:\n  {}\n",
                     workflows::init::kOrdinarySize, name(finding.finding.kind),
                     to_line(finding.smallest));
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
        "warpcheck "
        "check {3}\n",
        contract.draft.name, plural(contract.report->cases, "case"), tried(contract), target);
  }
  const std::string passes = fmt::format("{}: passes {}; {}\n", contract.draft.name,
                                         plural(contract.report->cases, "case"), tried(contract));
  return contract.failure_beyond ? passes + beyond(*contract.failure_beyond) : passes;
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

#include "report/console/init_text.hpp"

#include <fmt/format.h>

#include "properties/case/case.hpp"

namespace warpcheck::report {
namespace {

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
  return fmt::format(
      "{}: fails, {}; {}\n  {}\n  correct the contract, or find where the kernel is right: "
      "warpcheck "
      "explore {}\n",
      contract.draft.name, name(finding.finding.kind), tried(contract), to_line(finding.smallest),
      target);
}

std::string result_of(const GuessedContract& contract, const std::string& target) {
  if (!contract.not_a_product.empty()) {
    return fmt::format("{}: no contract: {}\n", contract.draft.kernel, contract.not_a_product);
  }
  if (!contract.not_compiled.empty()) {
    return fmt::format("{}: not checked, because it is not compiled:\n{}\n", contract.draft.name,
                       contract.not_compiled);
  }
  if (!contract.report) return fmt::format("{}: not checked\n", contract.draft.name);
  if (!contract.report->findings.empty()) return failure_of(contract, target);
  return fmt::format("{}: passes {}; {}\n", contract.draft.name,
                     plural(contract.report->cases, "case"), tried(contract));
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

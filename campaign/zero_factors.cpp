#include "campaign/zero_factors.hpp"

#include <cmath>

#include "device/undefined_load.hpp"

namespace warpcheck::campaign {
namespace {

using contract::ArgumentWord;
using contract::Contract;

constexpr std::string_view kBetaZero = "beta-zero-ignores-c";
constexpr std::string_view kAlphaZero = "alpha-zero-ignores-a-and-b";

bool is_nan(const FindingReport& report) {
  return report.mismatch && std::isnan(report.mismatch->got);
}

bool shows_c_despite_zero(const FindingReport& report) {
  using judge::CauseKind;
  const CauseKind mistake = report.diagnosis.cause.kind;
  if (device::loads_undefined(report.finding, "C")) return true;
  if (report.finding.kind != FindingClass::wrong_result) return false;
  // Without products, NaN comes from C.
  if (is_nan(report) && report.smallest.number("k") == 0.0) return true;
  return report.property == kBetaZero || mistake == CauseKind::c_despite_zero_beta ||
         mistake == CauseKind::nan_in_c ||
         (mistake == CauseKind::all_nan && report.smallest.data != Recipe::special);
}

}  // namespace

Advice advice_on_zero_factors(const Contract& contract, const FindingReport& report) {
  const Case& problem = report.smallest;
  if (contract.takes(ArgumentWord::beta) && !contract.reads_c_at_beta_zero &&
      problem.number("beta") == 0.0 && report.property != kAlphaZero &&
      shows_c_despite_zero(report)) {
    return {Advice::Kind::if_intended, "beta_zero = \"reads\""};
  }
  if (contract.takes(ArgumentWord::alpha) && !contract.reads_ab_at_alpha_zero &&
      problem.number("alpha") == 0.0 && report.property != kBetaZero && is_nan(report) &&
      report.finding.kind == FindingClass::wrong_result) {
    return {Advice::Kind::if_intended, "alpha_zero = \"reads\""};
  }
  return {};
}

bool shows_ignored_c(std::string_view property, const Finding& finding) {
  return property == kBetaZero || device::loads_undefined(finding, "C");
}

bool shows_undefined_c(const FindingReport& wrong, const FindingReport& undefined) {
  return wrong.property == kBetaZero && undefined.smallest.number("beta") == 0.0 &&
         device::loads_undefined(undefined.finding, "C");
}

void distinguish_factors(Case& problem) {
  constexpr double kOtherAlpha = 3.0;
  const double alpha = problem.number("alpha");
  if (alpha != 0.0 && alpha != 1.0) problem.set_value("alpha", kOtherAlpha);
}

}  // namespace warpcheck::campaign

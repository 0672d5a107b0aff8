#include <cctype>
#include <cmath>
#include <string_view>

#include "campaign/hint_model.hpp"
#include "device/undefined_load.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::string_view kBetaZero = "beta-zero-ignores-c";

/// The name of the distance between two lines of a matrix: "lda", or "k" if A is always tight.
std::string_view leading_name(const contract::Contract& contract, const Case& problem,
                              const Placement& place) {
  using contract::ArgumentWord;
  const bool by_rows = place.layout == contract::Layout::row;
  if (place.name == "A") {
    if (contract.takes(ArgumentWord::lda)) return "lda";
    return by_rows != problem.ta ? "k" : "m";
  }
  if (place.name == "B") {
    if (contract.takes(ArgumentWord::ldb)) return "ldb";
    return by_rows != problem.tb ? "n" : "k";
  }
  if (contract.takes(ArgumentWord::ldc)) return "ldc";
  return by_rows ? "n" : "m";
}

class MatrixHintModel final : public HintModel {
 public:
  Names names(const contract::Contract& contract, const Case& problem,
              const Placement& place) const override {
    const auto letter = static_cast<char>(std::tolower(place.name.front()));
    return {std::string(1, letter), std::string(leading_name(contract, problem, place))};
  }

  std::optional<Case> with_gaps(const contract::Contract& contract, const Case& problem,
                                const Placement& place, std::int64_t gap) const override {
    using contract::ArgumentWord;
    Case other = problem;
    const bool is_a = place.name == "A";
    const bool is_b = place.name == "B";
    const ArgumentWord word = is_a   ? ArgumentWord::lda
                              : is_b ? ArgumentWord::ldb
                                     : ArgumentWord::ldc;
    if (!contract.takes(word)) return std::nullopt;
    (is_a ? other.lda : is_b ? other.ldb : other.ldc) = place.leading + gap;
    return other;
  }

  /// The contract can state that the kernel multiplies by a factor of 0 instead of ignoring
  /// operands.
  Advice advice_if_intended(const contract::Contract& contract,
                            const FindingReport& report) const override {
    using contract::ArgumentWord;
    const Case& problem = report.smallest;
    const bool wrong = report.finding.kind == FindingClass::wrong_result;
    const bool is_nan = report.mismatch && std::isnan(report.mismatch->got);
    const bool is_alpha_zero = problem.alpha == 0.0 && report.property != kBetaZero;
    if (contract.takes(ArgumentWord::beta) && !contract.reads_c_at_beta_zero &&
        problem.beta == 0.0 && report.property != "alpha-zero-ignores-a-and-b") {
      const judge::CauseKind mistake = report.diagnosis.cause.kind;
      const bool shows_c =
          report.property == kBetaZero || mistake == judge::CauseKind::c_despite_zero_beta ||
          mistake == judge::CauseKind::nan_in_c ||
          (mistake == judge::CauseKind::all_nan && problem.data != Recipe::special);
      if (device::loads_undefined(report.finding, "C") || (wrong && shows_c)) {
        return {Advice::Kind::if_intended, "beta_zero = \"reads\""};
      }
    }
    if (contract.takes(ArgumentWord::alpha) && !contract.reads_ab_at_alpha_zero && is_alpha_zero &&
        wrong && is_nan) {
      return {Advice::Kind::if_intended, "alpha_zero = \"reads\""};
    }
    return {};
  }

  /// C is loaded for the element that the same line stores.
  bool shows_undefined(const FindingReport& wrong, const FindingReport& undefined) const override {
    return wrong.property == kBetaZero && undefined.smallest.beta == 0.0 &&
           device::loads_undefined(undefined.finding, "C");
  }

  /// alpha = 2 makes "alpha twice" and "product twice" equal.
  void distinguish_factors(Case& problem) const override {
    constexpr double kOtherAlpha = 3.0;
    if (problem.alpha != 0.0 && problem.alpha != 1.0) problem.alpha = kOtherAlpha;
  }
};

}  // namespace

const HintModel& HintModel::of_matrices() {
  static const MatrixHintModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign

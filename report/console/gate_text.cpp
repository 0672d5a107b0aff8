#include "report/console/gate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "report/path.hpp"
#include "report/requirements/gate_requirements.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using workflows::gate::GateOutcome;
using workflows::gate::GatePolicy;
using workflows::gate::GateResults;
using workflows::gate::Judgement;
using workflows::gate::KnownFinding;

constexpr std::size_t kMostKnown = 4;  // most known failures that are printed one by one

class Summary {
 public:
  Summary(const GatePolicy& policy, const GateResults& results, const Judgement& judgement,
          const campaign::CampaignReport& totals, const Paint& paint)
      : policy_(policy),
        outcomes_(results.outcomes),
        without_contract_(results.without_contract),
        judgement_(judgement),
        totals_(totals),
        requirements_(gate_requirements(policy, results, judgement)),
        paint_(paint) {}

  std::string text(double seconds) {
    add_head(seconds);
    add_least("sensitivity", [](const GateOutcome& outcome) { return outcome.report.sensitivity; });
    add_least("lines", [](const GateOutcome& outcome) -> std::optional<double> {
      if (!outcome.report.coverage) return std::nullopt;
      return outcome.report.coverage->lines().share();
    });
    add_least("branches", [](const GateOutcome& outcome) -> std::optional<double> {
      if (!outcome.report.coverage) return std::nullopt;
      return outcome.report.coverage->branches().share();
    });
    add_least("mutation score", [](const GateOutcome& outcome) { return outcome.mutation_score; });
    add_known();
    add_without_contract();
    add_reasons();
    switch (outcome_of(totals_, requirements_)) {
      case Outcome::passed:
        text_ += paint_(Ink::green, "gate passed") + "\n";
        break;
      case Outcome::undecided:
        add_outcome(paint_(Ink::yellow, "gate not decided"));
        break;
      default:
        add_outcome(paint_(Ink::red, "gate failed"));
    }
    return std::move(text_);
  }

 private:
  void add_head(double seconds) {
    std::set<std::string_view> variants;
    std::set<std::string_view> devices;
    std::int64_t cases = 0;
    for (const GateOutcome& outcome : outcomes_) {
      variants.insert(outcome.report.variant);
      devices.insert(outcome.report.device);
      cases += outcome.report.cases;
    }
    const std::string where = fmt::format("{}", fmt::join(devices, " and "));
    text_ += fmt::format("{}: {}, {}{} in {:.1f} s\n", shown_path(policy_.file),
                         counted(static_cast<std::int64_t>(variants.size()), "variant"),
                         counted(cases, "case"), where.empty() ? "" : " on " + where, seconds);
  }

  template <typename Value>
  void add_least(std::string_view what, const Value& value) {
    const GateOutcome* least = nullptr;
    for (const GateOutcome& outcome : outcomes_) {
      if (value(outcome) && (least == nullptr || *value(outcome) < *value(*least))) {
        least = &outcome;
      }
    }
    if (least == nullptr) return;
    text_ += fmt::format("  {:<14} {:>7} at least ({})\n", what, tenths(*value(*least)),
                         least->report.variant);
  }

  /// One line per known failure, for the first finding that matches it.
  void add_known() {
    std::set<std::size_t> printed;
    for (const KnownFinding& match : judgement_.known) {
      if (!printed.insert(match.known).second || printed.size() > kMostKnown) continue;
      const auto& found = outcomes_[match.outcome].report.findings[match.finding];
      text_ += fmt::format("  {:<14} {}: {}{}\n", "known", found.variant,
                           known_failure_text(policy_.known_failures[match.known]),
                           finding_place(found));
    }
    if (printed.size() > kMostKnown) {
      text_ += fmt::format("  {:<14} and {} more\n", "known", printed.size() - kMostKnown);
    }
  }

  void add_without_contract() {
    if (without_contract_.empty()) return;
    text_ += fmt::format("  {:<14} {}\n", "no contract",
                         file_list({without_contract_.begin(), without_contract_.end()}));
  }

  void add_reasons() {
    for (const contract::TargetError& error : totals_.errors) {
      text_ += fmt::format("  {} {}: not checked, {}\n", paint_(Ink::red, "error"),
                           shown_path(error.target),
                           counted(static_cast<std::int64_t>(error.diagnostics.size()), "error"));
    }
    for (const Requirement& requirement : requirements_.all) {
      if (requirement.state == RequirementState::met) continue;
      text_ += fmt::format("  {} {}\n", paint_(Ink::red, "failed"), requirement.reason);
    }
  }

  void add_outcome(const std::string& outcome) {
    const std::size_t reasons = totals_.errors.size() + judgement_.breaches.size();
    text_ +=
        fmt::format("{}: {}\n", outcome, counted(static_cast<std::int64_t>(reasons), "reason"));
  }

  const GatePolicy& policy_;
  std::span<const GateOutcome> outcomes_;
  std::span<const std::string> without_contract_;
  const Judgement& judgement_;
  const campaign::CampaignReport& totals_;
  Requirements requirements_;
  const Paint& paint_;
  std::string text_;
};

}  // namespace

std::string gate_text(const GatePolicy& policy, const GateResults& results,
                      const Judgement& judgement, const campaign::CampaignReport& totals,
                      double seconds, const Paint& paint) {
  return Summary(policy, results, judgement, totals, paint).text(seconds);
}

}  // namespace warpcheck::report

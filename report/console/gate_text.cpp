#include "report/console/gate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "report/coverage_text.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/unsupported_text.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using workflows::gate::Breach;
using workflows::gate::BreachKind;
using workflows::gate::GateOutcome;
using workflows::gate::GatePolicy;
using workflows::gate::Judgement;
using workflows::gate::KnownFailure;
using workflows::gate::KnownFinding;

constexpr std::size_t kMostKnown = 4;  // printed one by one

/// Rounded down to a tenth, so that a printed value that reaches a minimum does reach it.
std::string tenths(double share) {
  return fmt::format("{:.1f} %", std::floor(share * 1000 + 1e-9) / 10);
}

class Summary {
 public:
  Summary(const GatePolicy& policy, std::span<const GateOutcome> outcomes,
          const Judgement& judgement, const Paint& paint)
      : policy_(policy), outcomes_(outcomes), judgement_(judgement), paint_(paint) {}

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
    for (const Breach& breach : judgement_.breaches) {
      text_ += fmt::format("  {} {}\n", paint_(Ink::red, "failed"), breach_text(breach));
    }
    const auto breaches = static_cast<std::int64_t>(judgement_.breaches.size());
    const std::string outcome = judgement_.is_undecided() ? paint_(Ink::yellow, "gate not decided")
                                                          : paint_(Ink::red, "gate failed");
    text_ += judgement_.passed() ? paint_(Ink::green, "gate passed") + "\n"
                                 : fmt::format("{}: {}\n", outcome, counted(breaches, "reason"));
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
    text_ += fmt::format("{}: {}, {} on {} in {:.1f} s\n", shown_path(policy_.file),
                         counted(static_cast<std::int64_t>(variants.size()), "variant"),
                         counted(cases, "case"), fmt::join(devices, " and "), seconds);
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
                           known_failure_text(policy_.known_failures[match.known]), place(found));
    }
    if (printed.size() > kMostKnown) {
      text_ += fmt::format("  {:<14} and {} more\n", "known", printed.size() - kMostKnown);
    }
  }

  static std::string place(const properties::campaign::FindingReport& found) {
    const SourcePlace& source = found.finding.source;
    return source.line == 0 ? "" : fmt::format(" ({}:{})", shown_path(source.file), source.line);
  }

  [[nodiscard]] std::string breach_text(const Breach& breach) const {
    if (breach.kind == BreachKind::known_failure_gone ||
        breach.kind == BreachKind::known_failure_expired) {
      const KnownFailure& known = policy_.known_failures[breach.subject];
      return fmt::format("{}:{}: known failure of {}, {}: {}", shown_path(known.where.file),
                         known.where.line, known.variant, known_failure_text(known),
                         breach.kind == BreachKind::known_failure_gone
                             ? "no finding matches it any more; remove the entry"
                             : "its last day has passed");
    }
    const GateOutcome& outcome = outcomes_[breach.subject];
    return fmt::format("{}: {}", outcome.report.variant, breach_text(breach.kind, outcome));
  }

  [[nodiscard]] std::string breach_text(BreachKind kind, const GateOutcome& outcome) const {
    const workflows::gate::Minimums& minimum = outcome.rules.minimum;
    switch (kind) {
      case BreachKind::finding:
        return unknown_findings(outcome);
      case BreachKind::mistrusted:
        return "mistrusted: it passed, but " + mistrust_text(outcome.report);
      case BreachKind::unsupported:
        return unsupported_forms(outcome.report.device, outcome.report.unsupported);
      case BreachKind::sensitivity:
        return fmt::format("sensitivity {}, expected {} %",
                           tenths(outcome.report.sensitivity.value_or(0.0)), minimum.sensitivity);
      case BreachKind::coverage:
        return fmt::format("{}, expected {}",
                           shortfall(*outcome.report.coverage, {minimum.lines, minimum.branches}),
                           required_coverage(minimum));
      case BreachKind::coverage_not_counted:
        return outcome.report.device == "virtual"
                   ? "its coverage is unknown because no launch completed"
                   : "its coverage is unknown because only the virtual device counts it";
      case BreachKind::mutation_score:
        return fmt::format("mutation score {}, expected {} %", tenths(*outcome.mutation_score),
                           minimum.mutation_score);
      default:
        return "its mutation score was not measured";
    }
  }

  static std::string required_coverage(const workflows::gate::Minimums& minimum) {
    std::string text;
    if (minimum.lines > 0.0) text += fmt::format("{} % of lines", minimum.lines);
    if (minimum.branches > 0.0) {
      text += fmt::format("{}{} % of branches", text.empty() ? "" : " and ", minimum.branches);
    }
    return text;
  }

  [[nodiscard]] std::string unknown_findings(const GateOutcome& outcome) const {
    std::string text;
    for (const auto& found : outcome.report.findings) {
      if (workflows::gate::known_failure(policy_, found.variant, found.property, found.finding)) {
        continue;
      }
      text +=
          fmt::format("{}{}{}", text.empty() ? "" : ", ", name(found.finding.kind), place(found));
    }
    return text;
  }

  const GatePolicy& policy_;
  std::span<const GateOutcome> outcomes_;
  const Judgement& judgement_;
  const Paint& paint_;
  std::string text_;
};

}  // namespace

std::string gate_text(const GatePolicy& policy, std::span<const GateOutcome> outcomes,
                      const Judgement& judgement, double seconds, const Paint& paint) {
  return Summary(policy, outcomes, judgement, paint).text(seconds);
}

std::string known_failure_text(const KnownFailure& known) {
  return fmt::format("{} until {}: {}", name(known.kind), to_text(known.until), known.reason);
}

}  // namespace warpcheck::report

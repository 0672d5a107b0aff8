#include "report/console/exploration_text.hpp"

#include "report/finding/message.hpp"
#include "report/unsupported_text.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using workflows::explore::ConditionReport;
using workflows::explore::Correctness;
using workflows::explore::DeclaredDomain;
using workflows::explore::Exploration;
using workflows::explore::FailingCase;

std::string joined(const std::vector<ConditionReport>& conditions) {
  std::string text;
  for (const ConditionReport& condition : conditions) {
    text += (text.empty() ? "" : " and ") + condition.text;
  }
  return text;
}

std::string correctness_text(const Exploration& exploration) {
  switch (exploration.correct) {
    case Correctness::always:
      return "correct for all cases, no condition";
    case Correctness::exactly:
      return fmt::format("correct if and only if {}", joined(exploration.conditions));
    case Correctness::sufficient:
      return fmt::format("correct if {}; also correct in other cases",
                         joined(exploration.conditions));
    case Correctness::unknown:
      return fmt::format("no simple condition found; correct in {} of random cases",
                         percent(exploration.share));
    case Correctness::never:
      return "no case passed";
    case Correctness::unsupported:
      return "unsupported: the device could not execute all cases";
  }
  return {};
}

std::string failing_text(const FailingCase& failing) {
  return fmt::format("    {} at {}: {}\n    {}\n", name(failing.finding.kind),
                     place_text(failing.finding.source), printable(message_text(failing.finding)),
                     to_line(failing.problem));
}

std::string condition_text(const ConditionReport& condition, const Paint& paint) {
  std::string text = fmt::format(
      "  without {}: {} of {} cases fail ({})\n", paint(Ink::bold, condition.text),
      condition.failed, condition.failed + condition.passed, fmt::join(condition.classes, ", "));
  if (condition.smallest) text += failing_text(*condition.smallest);
  return text;
}

std::string declared_text(const Exploration& exploration, const Paint& paint) {
  const DeclaredDomain& declared = exploration.declared;
  std::string text;
  if (declared.too_weak) {
    const std::string weak =
        declared.conditions.empty()
            ? "the contract has no `requires`"
            : fmt::format("`requires` is too weak: {}", fmt::join(declared.conditions, " and "));
    text += fmt::format("  {}; this case of its domain fails:\n{}", paint(Ink::red, weak),
                        failing_text(*declared.too_weak));
  }
  for (const std::string& needless : declared.needless) {
    text += fmt::format(
        "  {}: cases that violate it pass\n",
        paint(Ink::yellow, fmt::format("`requires` is needlessly strict: {}", needless)));
  }
  for (const std::string& unexamined : declared.unexamined) {
    text += fmt::format("  not examined: {} (true for all cases)\n", unexamined);
  }
  if (!declared.conditions.empty() && !declared.too_weak && declared.needless.empty() &&
      exploration.is_found()) {
    text += "  `requires` states the same domain\n";
  }
  return text;
}

std::string remaining_text(const Exploration& exploration) {
  std::string text;
  for (const auto& found : exploration.remaining) {
    text += fmt::format("  inside, {} fails: {} at {}\n    {}\n", found.property,
                        name(found.finding.kind), place_text(found.finding.source),
                        to_line(found.original));
  }
  return text;
}

}  // namespace

std::string exploration_text(const Exploration& exploration, const Paint& paint) {
  std::string text =
      fmt::format("{}: {}\n", paint(Ink::bold, exploration.variant), correctness_text(exploration));
  if (exploration.is_found()) {
    for (const ConditionReport& condition : exploration.conditions) {
      text += condition_text(condition, paint);
    }
    text += fmt::format("  inside: {} passed\n", counted(exploration.inside, "case"));
  }
  if (exploration.correct == Correctness::unknown && !exploration.conditions.empty()) {
    text += fmt::format("  {} explains most failures, but not these:\n",
                        joined(exploration.conditions));
  }
  for (const FailingCase& failing : exploration.counterexamples) text += failing_text(failing);
  for (const auto& form : exploration.unsupported) {
    text +=
        fmt::format("  {} at {}: {}\n    {}\n", form_text(form.what), place_text(form.what.source),
                    printable(reason_text(form.what)), to_line(form.problem));
  }
  if (exploration.passes_outside) {
    text += fmt::format("  passes outside: {}\n", to_line(*exploration.passes_outside));
  }
  for (const auto& exception : exploration.exceptions) {
    text += fmt::format("  also correct outside where {}: {} of {}\n", exception.text,
                        exception.passed, counted(exception.cases, "case"));
  }
  text += remaining_text(exploration);
  text += declared_text(exploration, paint);
  return text + fmt::format("  {} with extents up to {}, seed {}, {:.1f} s\n",
                            counted(exploration.cases, "case"), exploration.max_size,
                            exploration.seed, exploration.seconds);
}

}  // namespace warpcheck::report

#include "workflows/history/drift.hpp"

#include <algorithm>
#include <cmath>

namespace warpcheck::workflows::history {
namespace {

constexpr std::size_t kLeastCases = 16;
constexpr double kNegligible = 1e-3;  // least error in the comparison, in units of the bound
constexpr double kMarkedly = 1.5;     // factor on the same cases; `diff` uses the same
constexpr double kMarkedlyOnOtherCases = 6.0;  // twice the factor between seeds of one kernel

/// The typical error is kNegligible if there are no errors.
ErrorLevel level(const Errors& errors) {
  ErrorLevel level;
  double logarithms = 0.0;
  for (const auto& [line, error] : errors) {
    logarithms += std::log(std::clamp(error, kNegligible, 1.0));
    level.largest = std::max(level.largest, error);
  }
  level.typical =
      errors.empty() ? kNegligible : std::exp(logarithms / static_cast<double>(errors.size()));
  return level;
}

/// Returns the errors above zero, and those of lines with an error above zero in `other`.
Errors erring(const Errors& errors, const Errors& other = {}) {
  Errors some;
  for (const auto& [line, error] : errors) {
    const auto there = other.find(line);
    if (error > 0.0 || (there != other.end() && there->second > 0.0)) some.emplace(line, error);
  }
  return some;
}

Errors in_common(const Errors& errors, const Errors& other) {
  Errors common;
  for (const auto& [line, error] : errors) {
    if (other.contains(line)) common.emplace(line, error);
  }
  return common;
}

}  // namespace

ErrorLevel level_of(const Errors& errors) { return level(erring(errors)); }

std::optional<Drift> drift_between(const Errors& before, const Errors& now) {
  if (std::min(before.size(), now.size()) < kLeastCases) return std::nullopt;
  Drift drift;
  const Errors same_before = in_common(before, now);
  const Errors same_now = in_common(now, before);
  drift.same_cases = same_now.size() >= kLeastCases;
  const Errors then = drift.same_cases ? erring(same_before, same_now) : erring(before);
  const Errors today = drift.same_cases ? erring(same_now, same_before) : erring(now);
  drift.cases = std::ssize(today);
  drift.before = level(then);
  drift.now = level(today);
  const double factor = drift.same_cases ? kMarkedly : kMarkedlyOnOtherCases;
  if (drift.now.typical <= factor * drift.before.typical) return std::nullopt;
  return drift;
}

}  // namespace warpcheck::workflows::history

#include "campaign/judge/worst_elements.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpcheck::campaign::judge {
namespace {

/// The greater, the worse.
std::pair<double, double> rank(const WrongElement& element) {
  const double difference = element.difference();
  return {element.error_over_bound(), std::isnan(difference) ? HUGE_VAL : difference};
}

}  // namespace

double error_over_bound(double got, double expected, double tolerance) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0.0;
  if (std::isinf(tolerance)) return 0.0;
  const double ratio = std::abs(got - expected) / tolerance;
  return std::isnan(ratio) ? HUGE_VAL : ratio;
}

double WrongElement::difference() const { return std::abs(got - expected); }

double WrongElement::error_over_bound() const {
  return judge::error_over_bound(got, expected, tolerance);
}

void WorstElements::add(const WrongElement& element) {
  const auto is_worse = [](const WrongElement& one, const WrongElement& other) {
    return rank(one) > rank(other);
  };
  if (elements_.size() == kMost && !is_worse(element, elements_.back())) return;
  elements_.insert(std::upper_bound(elements_.begin(), elements_.end(), element, is_worse),
                   element);
  if (elements_.size() > kMost) elements_.pop_back();
}

}  // namespace warpcheck::campaign::judge

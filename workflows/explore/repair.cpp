#include "workflows/explore/repair.hpp"

#include <algorithm>

#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"
#include "workflows/explore/sources.hpp"

namespace warpcheck::workflows::explore {

using campaign::Case;
using Kind = Condition::Kind;
using Of = Quantity::Kind;

std::optional<Case> Repair::satisfy(Case problem, const Conjunction& conditions) {
  constexpr int kPasses = 12;
  for (int pass = 0; pass < kPasses; ++pass) {
    repair_strides(problem);
    if (holds(conditions, values_of(contract_, problem, quantities_))) {
      if (!is_valid(schema_, problem, max_size_)) return std::nullopt;
      return campaign::normalized(contract_, problem);
    }
    for (const Condition& condition : conditions) {
      if (!condition.holds(values_of(contract_, problem, quantities_))) {
        establish(condition, problem);
      }
    }
  }
  return std::nullopt;
}

/// Makes leading dimensions and strides tight that are too small for the extents.
void Repair::repair_strides(Case& problem) const {
  campaign::reset_short_strides(contract_, problem);
}

double Repair::value(const Case& problem, std::size_t quantity) const {
  return value_of(contract_, problem, quantities_[quantity]);
}

void Repair::set(Case& problem, std::size_t quantity, double value) const {
  const double least = static_cast<double>(least_value(contract_, problem, quantities_[quantity]));
  const bool is_bounded = quantities_[quantity].is_integer();
  set_value(problem, quantities_[quantity], is_bounded ? std::max(value, least) : value);
}

void Repair::establish(const Condition& condition, Case& problem) {
  const double now = value(problem, condition.x);
  switch (condition.kind) {
    case Kind::congruent:
      return make_congruent(condition, problem);
    case Kind::at_least:
    case Kind::at_most:
    case Kind::equals:
      return set(problem, condition.x, condition.constant);
    case Kind::differs:
      return set(problem, condition.x,
                 quantities_[condition.x].kind == Of::flag ? 1.0 - now : now + 1.0);
    case Kind::same:
      return make_same(condition, problem);
    case Kind::at_most_other:
      if (random_.below(2) == 0) return set(problem, condition.x, value(problem, condition.y));
      return set(problem, condition.y, now);
  }
}

/// Rounds an extent down, unless it would become 0, or up; rounds other quantities up.
void Repair::make_congruent(const Condition& condition, Case& problem) {
  const auto now = static_cast<std::int64_t>(value(problem, condition.x));
  const std::int64_t modulus = condition.modulus;
  const std::int64_t down = now - (now % modulus - condition.residue + modulus) % modulus;
  const bool is_extent = quantities_[condition.x].kind == Of::extent;
  const bool goes_down = is_extent && down > 0 && random_.below(2) == 0;
  const bool fits = !is_extent || down + modulus <= max_size_;
  set(problem, condition.x, static_cast<double>(goes_down || !fits ? down : down + modulus));
}

void Repair::make_same(const Condition& condition, Case& problem) {
  const double x = value(problem, condition.x);
  const double y = value(problem, condition.y);
  const bool x_is_stride = quantities_[condition.x].kind == Of::stride;
  const bool y_is_stride = quantities_[condition.y].kind == Of::stride;
  if (x_is_stride && y_is_stride) {
    const double common = std::max(x - condition.constant, y);
    set(problem, condition.x, common + condition.constant);
    set(problem, condition.y, common);
  } else if (x_is_stride || random_.below(2) == 0) {
    set(problem, condition.x, y + condition.constant);
  } else {
    set(problem, condition.y, x - condition.constant);
  }
}

}  // namespace warpcheck::workflows::explore

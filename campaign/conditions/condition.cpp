#include "campaign/conditions/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpcheck::campaign::conditions {
namespace {

using Kind = Condition::Kind;

std::vector<std::int64_t> prime_factors(std::int64_t number) {
  std::vector<std::int64_t> factors;
  for (std::int64_t p = 2; p <= number; ++p) {
    if (number % p != 0) continue;
    factors.push_back(p);
    while (number % p == 0) number /= p;
  }
  return factors;
}

Condition changed(Condition condition, Kind kind, double constant) {
  condition.kind = kind;
  condition.constant = constant;
  return condition;
}

std::vector<Condition> other_residues(const Condition& condition) {
  std::vector<Condition> all;
  const auto add = [&](std::int64_t distance) {
    Condition other = condition;
    other.residue = (condition.residue + distance) % condition.modulus;
    if (other.residue != condition.residue && std::find(all.begin(), all.end(), other) == all.end())
      all.push_back(other);
  };
  for (const std::int64_t prime : prime_factors(condition.modulus)) add(condition.modulus / prime);
  add(1);
  add(condition.modulus - 1);
  for (std::int64_t part = 4; part < condition.modulus; part *= 2) add(condition.modulus / part);
  return all;
}

std::vector<double> other_values(const Quantity& quantity) {
  switch (quantity.kind) {
    case Quantity::Kind::flag:
      return {0.0, 1.0};
    case Quantity::Kind::factor:
      return {0.0, 1.0, -1.0, 2.0, -3.0};
    default:
      return {};
  }
}

/// A condition on an extent is the most usual one.
double base_cost(Quantity::Kind kind) {
  switch (kind) {
    case Quantity::Kind::stride:
      return 0.1;
    case Quantity::Kind::padding:
    case Quantity::Kind::base_offset:
      return 0.4;
    default:
      return 0.0;
  }
}

bool is_power_of_two(std::int64_t number) { return (number & (number - 1)) == 0; }

}  // namespace

bool Condition::holds(const std::vector<double>& values) const {
  const double value = values[x];
  switch (kind) {
    case Kind::congruent:
      return static_cast<std::int64_t>(value) % modulus == residue;
    case Kind::at_least:
      return value >= constant;
    case Kind::at_most:
      return value <= constant;
    case Kind::equals:
      return value == constant;
    case Kind::differs:
      return value != constant;
    case Kind::same:
      return value == values[y] + constant;
    case Kind::at_most_other:
      return value <= values[y];
  }
  return false;
}

bool holds(const Conjunction& conditions, const std::vector<double>& values) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return condition.holds(values); });
}

std::string to_text(const Condition& condition, const std::vector<Quantity>& quantities) {
  const Quantity& x = quantities[condition.x];
  const std::string& y = quantities[condition.y].name;
  switch (condition.kind) {
    case Kind::congruent:
      if (x.kind == Quantity::Kind::offset && condition.residue == 0) {
        return fmt::format("aligned({}, {})", x.name, condition.modulus * x.element_bytes);
      }
      return fmt::format("{} % {} == {}", x.name, condition.modulus, condition.residue);
    case Kind::at_least:
      return fmt::format("{} >= {}", x.name, condition.constant);
    case Kind::at_most:
      return fmt::format("{} <= {}", x.name, condition.constant);
    case Kind::equals:
      if (x.kind == Quantity::Kind::padding) {
        return fmt::format("{} is {}", x.name, condition.constant == 0.0 ? "tight" : "padded");
      }
      return fmt::format("{} == {}", x.name, condition.constant);
    case Kind::differs:
      return fmt::format("{} != {}", x.name, condition.constant);
    case Kind::same:
      if (condition.constant == 0.0) return fmt::format("{} == {}", x.name, y);
      return fmt::format("{} == {} + {}", x.name, y, condition.constant);
    case Kind::at_most_other:
      return fmt::format("{} <= {}", x.name, y);
  }
  return {};
}

std::string to_text(const Conjunction& conditions, const std::vector<Quantity>& quantities) {
  if (conditions.empty()) return "true";
  std::string text;
  for (const Condition& condition : conditions) {
    text += (text.empty() ? "" : " and ") + to_text(condition, quantities);
  }
  return text;
}

std::vector<Condition> negations(const Condition& condition,
                                 const std::vector<Quantity>& quantities) {
  const auto with = [&](Kind kind, double constant) { return changed(condition, kind, constant); };
  switch (condition.kind) {
    case Kind::congruent:
      return other_residues(condition);
    case Kind::at_least:
      return {with(Kind::equals, condition.constant - 1),
              with(Kind::at_most, condition.constant - 1)};
    case Kind::at_most:
      return {with(Kind::equals, condition.constant + 1),
              with(Kind::at_least, condition.constant + 1)};
    case Kind::differs:
      return {with(Kind::equals, condition.constant)};
    case Kind::same: {
      std::vector<Condition> all;
      for (const double distance : {1.0, -1.0, 4.0, -4.0, 16.0, -16.0, 64.0, -64.0}) {
        all.push_back(with(Kind::same, condition.constant + distance));
      }
      return all;
    }
    case Kind::at_most_other: {
      std::vector<Condition> all;
      for (const double distance : {1.0, 4.0, 16.0, 64.0}) {
        all.push_back(with(Kind::same, distance));
      }
      return all;
    }
    case Kind::equals: {
      std::vector<Condition> all;
      for (const double value : other_values(quantities[condition.x])) {
        if (value != condition.constant) all.push_back(with(Kind::equals, value));
      }
      if (quantities[condition.x].is_integer()) {
        for (const double distance : {1.0, -1.0, 4.0, 16.0}) {
          all.push_back(with(Kind::equals, condition.constant + distance));
        }
      }
      return all;
    }
  }
  return {};
}

double cost(const Condition& condition, const std::vector<Quantity>& quantities) {
  const double size = std::log2(1.0 + std::fabs(condition.constant));
  const double base = base_cost(quantities[condition.x].kind);
  switch (condition.kind) {
    case Kind::congruent: {
      const auto modulus = static_cast<double>(condition.modulus);
      const double usual = is_power_of_two(condition.modulus) ? 1.0 : 1.6;
      return base + usual + 0.03 * std::log2(modulus) + (condition.residue == 0 ? 0.0 : 0.5);
    }
    case Kind::at_least:
      return base + 1.4 + 0.01 * size;
    case Kind::at_most:
      return base + 1.7 - 0.01 * size;  // the weaker one costs less
    case Kind::differs:
      return base + 1.2 + 0.01 * size;
    case Kind::same:
      return base + 1.3 + (condition.constant == 0.0 ? 0.0 : 1.0);
    case Kind::at_most_other:
      return base + 1.8;
    case Kind::equals:
      return base + (quantities[condition.x].is_integer() ? 2.0 : 1.1) + 0.01 * size;
  }
  return base;
}

}  // namespace warpcheck::campaign::conditions

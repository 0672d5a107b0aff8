#include "workflows/diff/element_difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "properties/run/element.hpp"

namespace warpcheck::workflows::diff {
namespace {

/// Numbers that count the values of a floating-point format upwards, both zeros being 0.
std::int64_t rank(ScalarType type, const std::byte* from) {
  const std::size_t size = size_of(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, size);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

bool differ(const properties::run::Output& before, const properties::run::Output& after,
            std::int64_t row, std::int64_t column) {
  const double one = before.value(row, column);
  const double other = after.value(row, column);
  if (std::isnan(one) && std::isnan(other)) return false;
  if (before.place.type != after.place.type) return !(one == other);
  return !before.same_bits(row, column, after, row, column);
}

double in_units_of(double tolerance, double one, double other) {
  if (one == other || std::isinf(tolerance)) return 0.0;
  const double ratio = std::fabs(one - other) / tolerance;
  return std::isnan(ratio) ? HUGE_VAL : ratio;
}

bool exceeds(const ElementDifference& one, const ElementDifference& other) {
  if (one.over_bound != other.over_bound) return one.over_bound > other.over_bound;
  return one.ulps.value_or(0.0) > other.ulps.value_or(0.0);
}

/// One product of a batch: its rows begin at `first`.
class ProductDifference {
 public:
  ProductDifference(const properties::run::Problem& problem, const properties::run::Output& before,
                    const properties::run::Output& after)
      : problem_(problem), before_(before), after_(after) {}

  void look_at(std::int64_t number, std::optional<ElementDifference>& largest,
               std::int64_t& differing) {
    const std::int64_t rows = problem_.line.m;
    std::optional<reference::Expected> expected;  // most products differ nowhere
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < problem_.line.n; ++j) {
        if (!differ(before_, after_, number * rows + i, j)) continue;
        ++differing;
        if (!expected)
          expected = reference::gemm(properties::run::reference_problem(problem_, number));
        ElementDifference here = at(number * rows + i, j);
        here.expected = expected->value(i, j);
        here.tolerance = expected->tolerance(i, j);
        here.over_bound = in_units_of(here.tolerance, here.before, here.after);
        // An overflow that the bound allows is no measure of the distance.
        const bool allowed =
            expected->accepts(i, j, here.before) && expected->accepts(i, j, here.after);
        if (allowed && std::isinf(here.over_bound)) here.over_bound = 0.0;
        if (!largest || exceeds(here, *largest)) largest = std::move(here);
      }
    }
  }

 private:
  [[nodiscard]] ElementDifference at(std::int64_t row, std::int64_t column) const {
    ElementDifference here;
    here.element = before_.place.element(row, column);
    here.before = before_.value(row, column);
    here.after = after_.value(row, column);
    const ScalarType type = before_.place.type;
    if (type == after_.place.type) {
      here.ulps = ulps_between(type, before_.bytes.data() + before_.place.index_of(row, column),
                               after_.bytes.data() + after_.place.index_of(row, column));
    }
    return here;
  }

  const properties::run::Problem& problem_;
  const properties::run::Output& before_;
  const properties::run::Output& after_;
};

}  // namespace

double ulps_between(ScalarType type, const std::byte* one, const std::byte* other) {
  const double first = properties::run::decode(type, one);
  const double second = properties::run::decode(type, other);
  if (std::isnan(first) || std::isnan(second)) {
    return std::isnan(first) && std::isnan(second) ? 0.0 : HUGE_VAL;
  }
  if (unit_roundoff(type) == 0.0) return std::fabs(first - second);
  const auto [low, high] = std::minmax({rank(type, one), rank(type, other)});
  const auto apart =
      static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
  // In memory a tf32 is a float, with 13 digits more.
  return type == ScalarType::tf32 ? apart / 0x1p13 : apart;
}

std::optional<ElementDifference> largest_difference(const properties::run::Problem& problem,
                                                    const properties::run::Output& before,
                                                    const properties::run::Output& after) {
  std::optional<ElementDifference> largest;
  std::int64_t differing = 0;
  ProductDifference products(problem, before, after);
  for (std::int64_t number = 0; number < problem.line.batch; ++number) {
    products.look_at(number, largest, differing);
  }
  if (!largest) return largest;
  largest->problem = problem.line;
  largest->differing = differing;
  largest->elements = before.place.all_rows() * before.place.columns;
  return largest;
}

}  // namespace warpcheck::workflows::diff

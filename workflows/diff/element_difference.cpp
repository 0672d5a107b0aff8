#include "workflows/diff/element_difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "campaign/case/product.hpp"
#include "campaign/run/element.hpp"
#include "workflows/diff/differences.hpp"
#include "workflows/diff/product_diff.hpp"
#include "workflows/diff/tensor_diff.hpp"

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

bool differ(const campaign::run::Output& before, const campaign::run::Output& after,
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

ElementDifference element(const campaign::run::Output& before, const campaign::run::Output& after,
                          std::int64_t row, std::int64_t column) {
  ElementDifference here;
  here.element = before.place.element(row, column);
  here.before = before.value(row, column);
  here.after = after.value(row, column);
  const ScalarType type = before.place.type;
  if (type == after.place.type) {
    here.ulps = ulps_between(type, before.bytes.data() + before.place.index_of(row, column),
                             after.bytes.data() + after.place.index_of(row, column));
  }
  return here;
}

}  // namespace

void Differences::add(const campaign::run::Output& before, const campaign::run::Output& after,
                      const Judge& judge) {
  for (std::int64_t row = 0; row < before.place.all_rows(); ++row) {
    for (std::int64_t column = 0; column < before.place.columns; ++column) {
      if (!differ(before, after, row, column)) continue;
      ++differing_;
      ElementDifference here = element(before, after, row, column);
      const Judged judged = judge(row, column, here.before, here.after);
      here.expected = judged.expected;
      here.tolerance = judged.tolerance;
      here.over_bound = in_units_of(here.tolerance, here.before, here.after);
      // An overflow that the bound allows is no measure of the distance.
      if (judged.accepts_both && std::isinf(here.over_bound)) here.over_bound = 0.0;
      if (!largest_ || exceeds(here, *largest_)) largest_ = std::move(here);
    }
  }
  elements_ += before.place.all_rows() * before.place.columns;
}

std::optional<ElementDifference> Differences::largest(const campaign::Case& problem) {
  if (!largest_) return std::nullopt;
  largest_->problem = problem;
  largest_->differing = differing_;
  largest_->elements = elements_;
  return std::move(largest_);
}

double ulps_between(ScalarType type, const std::byte* one, const std::byte* other) {
  const double first = campaign::run::decode(type, one);
  const double second = campaign::run::decode(type, other);
  if (std::isnan(first) || std::isnan(second)) {
    return std::isnan(first) && std::isnan(second) ? 0.0 : HUGE_VAL;
  }
  if (is_integer(type)) return std::fabs(first - second);
  const auto [low, high] = std::minmax({rank(type, one), rank(type, other)});
  const auto apart =
      static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
  // A tf32 is stored as a float, which has 13 more bits.
  return type == ScalarType::tf32 ? apart / 0x1p13 : apart;
}

std::optional<ElementDifference> largest_difference(
    const campaign::run::Problem& problem, const std::vector<campaign::run::Output>& before,
    const std::vector<campaign::run::Output>& after) {
  return campaign::is_product(problem.line) ? product::largest_difference(problem, before, after)
                                            : tensor::largest_difference(problem, before, after);
}

}  // namespace warpcheck::workflows::diff

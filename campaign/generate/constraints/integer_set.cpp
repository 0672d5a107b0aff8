#include "campaign/generate/constraints/integer_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <numeric>

#include "campaign/generate/constraints/integer_bounds.hpp"

namespace warpcheck::campaign::generate {
namespace {

struct Congruence {
  std::int64_t modulus = 1;
  std::int64_t residue = 0;
  bool impossible = false;
};

/// The Chinese remainder theorem. If the common modulus is too large, returns the larger of the
/// two.
Congruence common(const IntegerSet& x, const IntegerSet& y) {
  if (x.modulus == 0) return {0, x.residue, !y.contains(x.residue)};
  if (y.modulus == 0) return {0, y.residue, !x.contains(y.residue)};
  if (y.modulus == 1) return {x.modulus, x.residue};
  if (x.modulus == 1) return {y.modulus, y.residue};
  const std::int64_t divisor = std::gcd(x.modulus, y.modulus);
  const std::int64_t apart = y.residue - x.residue;
  if (apart % divisor != 0) return {1, 0, true};
  const std::int64_t rest = y.modulus / divisor;
  if (x.modulus > kMostModulus / rest) {
    return x.modulus >= y.modulus ? Congruence{x.modulus, x.residue}
                                  : Congruence{y.modulus, y.residue};
  }
  const std::int64_t times =
      rest == 1
          ? 0
          : floor_mod(floor_mod(apart / divisor, rest) * inverse(x.modulus / divisor, rest), rest);
  return {x.modulus * rest, x.residue + x.modulus * times};
}

/// Returns the interval of f at the corners of x and y. f is monotonic in each.
template <class Function>
IntegerSet corners(const IntegerSet& x, const IntegerSet& y, const Function& f) {
  const auto [low, high] =
      std::minmax({f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)});
  return IntegerSet::between(low, high);
}

template <class Divide>
IntegerSet divided(const IntegerSet& x, const IntegerSet& y, const Divide& divide) {
  const IntegerSet divisor = without_zero(y);
  if (x.is_empty() || divisor.is_empty()) return IntegerSet::none();
  if (divisor.low < 0 && divisor.high > 0) return within_magnitude(x);
  return corners(x, divisor, [&](std::int64_t bound, std::int64_t by) {
    if (is_infinite(bound)) return (bound < 0) == (by < 0) ? kUnbounded : -kUnbounded;
    return divide(bound, by);
  });
}

}  // namespace

IntegerSet IntegerSet::make(std::int64_t low, std::int64_t high, std::int64_t modulus,
                            std::int64_t residue) {
  if (low > high) return none();
  low = std::clamp(low, -kUnbounded, kUnbounded - 1);  // a set beyond the bounds is not a single
  high = std::clamp(high, -kUnbounded + 1, kUnbounded);
  if (modulus == 0 && is_infinite(residue)) modulus = 1;
  if (modulus == 0) return residue < low || residue > high ? none() : only(residue);
  if (modulus < 0 || modulus > kMostModulus) modulus = 1;
  if (modulus == 1) {  // avoids divisions
    return low < high ? IntegerSet{low, high, 1, 0} : low == high ? only(low) : none();
  }
  residue = floor_mod(residue, modulus);
  if (low != -kUnbounded) low += floor_mod(residue - low % modulus, modulus);
  if (high != kUnbounded) high -= floor_mod(high % modulus - residue, modulus);
  if (low > high) return none();
  return low == high ? only(low) : IntegerSet{low, high, modulus, residue};
}

bool IntegerSet::contains(std::int64_t value) const {
  if (value < low || value > high) return false;
  return modulus == 0 || floor_mod(value, modulus) == residue;
}

std::int64_t IntegerSet::nearest(std::int64_t target) const {
  if (target <= low) return low;
  if (target >= high) return high;
  const std::int64_t below = target - floor_mod(target - residue, step());
  const std::int64_t above = below == target ? target : below + step();
  return target - below <= above - target ? below : above;
}

IntegerSet intersection(const IntegerSet& x, const IntegerSet& y) {
  if (x.is_empty() || y.is_empty()) return IntegerSet::none();
  const Congruence both = common(x, y);
  if (both.impossible) return IntegerSet::none();
  return IntegerSet::make(std::max(x.low, y.low), std::min(x.high, y.high), both.modulus,
                          both.residue);
}

IntegerSet hull(const IntegerSet& x, const IntegerSet& y) {
  if (x.is_empty()) return y;
  if (y.is_empty()) return x;
  const std::int64_t apart = bound_sum(x.residue, -y.residue, kUnbounded);
  return IntegerSet::make(std::min(x.low, y.low), std::max(x.high, y.high),
                          std::gcd(std::gcd(x.modulus, y.modulus), apart), x.residue);
}

IntegerSet without_zero(const IntegerSet& x) {
  if (x.low == 0) return IntegerSet::make(1, x.high, x.step(), x.residue);
  if (x.high == 0) return IntegerSet::make(x.low, -1, x.step(), x.residue);
  return x;
}

IntegerSet negated(const IntegerSet& x) {
  if (x.is_empty()) return x;
  return IntegerSet::make(-x.high, -x.low, x.modulus, -x.residue);
}

IntegerSet sum(const IntegerSet& x, const IntegerSet& y) {
  if (x.is_empty() || y.is_empty()) return IntegerSet::none();
  const std::int64_t low = bound_sum(x.low, y.low, -kUnbounded);
  const std::int64_t high = bound_sum(x.high, y.high, kUnbounded);
  std::int64_t residue = 0;
  if (__builtin_add_overflow(x.residue, y.residue, &residue)) return IntegerSet::between(low, high);
  return IntegerSet::make(low, high, std::gcd(x.modulus, y.modulus), residue);
}

IntegerSet difference(const IntegerSet& x, const IntegerSet& y) { return sum(x, negated(y)); }

IntegerSet product(const IntegerSet& x, const IntegerSet& y) {
  if (x.is_empty() || y.is_empty()) return IntegerSet::none();
  const IntegerSet range = corners(x, y, bound_product);
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t third = 0;
  std::int64_t residue = 0;
  if (__builtin_mul_overflow(x.residue, y.modulus, &first) ||
      __builtin_mul_overflow(y.residue, x.modulus, &second) ||
      __builtin_mul_overflow(x.modulus, y.modulus, &third) ||
      __builtin_mul_overflow(x.residue, y.residue, &residue)) {
    return range;
  }
  return IntegerSet::make(range.low, range.high, std::gcd(std::gcd(first, second), third), residue);
}

IntegerSet quotient(const IntegerSet& x, const IntegerSet& y) {
  IntegerSet range = divided(x, y, [](std::int64_t bound, std::int64_t by) { return bound / by; });
  if (range.is_empty() || !is_positive_single(y) || x.low < 0 || x.modulus == 0) return range;
  if (x.modulus % y.low != 0) return range;
  return IntegerSet::make(range.low, range.high, x.modulus / y.low, x.residue / y.low);
}

IntegerSet quotient_up(const IntegerSet& x, const IntegerSet& y) {
  IntegerSet range = divided(x, y, ceil_div);
  if (range.is_empty() || !is_positive_single(y) || x.modulus == 0) return range;
  if (x.modulus % y.low != 0) return range;
  return IntegerSet::make(range.low, range.high, x.modulus / y.low, ceil_div(x.residue, y.low));
}

IntegerSet remainder(const IntegerSet& x, const IntegerSet& y) {
  const IntegerSet divisor = without_zero(y);
  if (x.is_empty() || divisor.is_empty()) return IntegerSet::none();
  if (x.low >= 0 && divisor.low > x.high) return x;
  if (x.is_single() && divisor.is_single()) return IntegerSet::only(x.low % divisor.low);
  const std::int64_t most = largest_magnitude(divisor) - 1;
  std::int64_t low = x.low >= 0 ? 0 : std::max(x.low, -most);
  std::int64_t high = x.high <= 0 ? 0 : std::min(x.high, most);
  if (!divisor.is_single()) return IntegerSet::between(low, high);
  const std::int64_t by = std::abs(divisor.low);
  if (x.low >= 0 && !is_infinite(x.high) && x.low / by == x.high / by) {
    low = x.low % by;
    high = x.high % by;
  }
  return IntegerSet::make(low, high, std::gcd(x.modulus, by), x.residue);
}

IntegerSet minimum(const IntegerSet& x, const IntegerSet& y) {
  if (x.is_empty() || y.is_empty()) return IntegerSet::none();
  const IntegerSet either = hull(x, y);
  return intersection(either,
                      IntegerSet::between(std::min(x.low, y.low), std::min(x.high, y.high)));
}

IntegerSet maximum(const IntegerSet& x, const IntegerSet& y) {
  if (x.is_empty() || y.is_empty()) return IntegerSet::none();
  const IntegerSet either = hull(x, y);
  return intersection(either,
                      IntegerSet::between(std::max(x.low, y.low), std::max(x.high, y.high)));
}

}  // namespace warpcheck::campaign::generate

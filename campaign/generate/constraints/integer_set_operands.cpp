// The operands that can give a result.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "campaign/generate/constraints/integer_bounds.hpp"
#include "campaign/generate/constraints/integer_set.hpp"

namespace warpcheck::campaign::generate {
namespace {

/// Returns the square root, rounded down.
std::int64_t rounded_root(std::int64_t square) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;  // the conversions may be off by one
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

}  // namespace

IntegerSet factors_of(const IntegerSet& product, const IntegerSet& y) {
  if (product.is_empty() || y.is_empty()) return IntegerSet::none();
  const bool excludes_zero = product.low > 0 || product.high < 0;
  const IntegerSet factor = excludes_zero ? without_zero(y) : y;
  if (factor.is_empty()) return factor;
  if (factor.high < 0) return factors_of(negated(product), negated(factor));
  const IntegerSet any = excludes_zero ? within_magnitude(product) : IntegerSet{};
  if (factor.low <= 0) return any;
  const auto bound = [](std::int64_t of, std::int64_t by, auto divide) {
    return is_infinite(of) ? of : divide(of, by);
  };
  const std::int64_t low =
      bound(product.low, product.low <= 0 ? factor.low : factor.high, ceil_div);
  const std::int64_t high =
      bound(product.high, product.high >= 0 ? factor.low : factor.high, floor_div);
  if (!factor.is_single() || product.modulus == 0) return IntegerSet::between(low, high);
  const std::int64_t divisor = std::gcd(factor.low, product.modulus);
  if (product.residue % divisor != 0) return IntegerSet::none();
  const std::int64_t modulus = product.modulus / divisor;
  const std::int64_t times = floor_mod(factor.low / divisor, modulus);
  const std::int64_t residue =
      modulus == 1 ? 0 : product.residue / divisor * inverse(times, modulus) % modulus;
  return IntegerSet::make(low, high, modulus, residue);
}

IntegerSet roots_of(const IntegerSet& square, const IntegerSet& x) {
  if (square.is_empty() || square.high < 0) return IntegerSet::none();
  const std::int64_t most = rounded_root(square.high);
  if (x.low < 0) return intersection(x, IntegerSet::between(-most, most));
  const std::int64_t below = square.low <= 0 ? -1 : rounded_root(square.low - 1);
  return intersection(x, IntegerSet::between(below + 1, most));
}

IntegerSet dividends_of(const IntegerSet& quotient, const IntegerSet& x, const IntegerSet& y) {
  if (quotient.is_empty() || y.is_empty()) return IntegerSet::none();
  if (!is_positive_single(y)) return {};
  const std::int64_t by = y.low;
  const std::int64_t rest = by - 1;
  const std::int64_t low =
      bound_sum(bound_product(quotient.low, by), quotient.low > 0 ? 0 : -rest, -kUnbounded);
  const std::int64_t high =
      bound_sum(bound_product(quotient.high, by), quotient.high < 0 ? 0 : rest, kUnbounded);
  // x is by * quotient + x % by if the congruence of x determines x % by.
  if (x.low < 0 || x.modulus == 0 || x.modulus % by != 0 || quotient.modulus == 0 ||
      quotient.modulus > kMostModulus / by) {
    return IntegerSet::between(low, high);
  }
  return IntegerSet::make(low, high, quotient.modulus * by, quotient.residue * by + x.residue % by);
}

IntegerSet dividends_up_of(const IntegerSet& quotient, const IntegerSet& y) {
  if (quotient.is_empty() || y.is_empty()) return IntegerSet::none();
  if (!is_positive_single(y)) return {};
  const std::int64_t low = bound_product(bound_sum(quotient.low, -1, -kUnbounded), y.low);
  return IntegerSet::between(bound_sum(low, 1, -kUnbounded), bound_product(quotient.high, y.low));
}

IntegerSet dividends_leaving(const IntegerSet& remainder, const IntegerSet& x,
                             const IntegerSet& y) {
  if (remainder.is_empty() || y.is_empty()) return IntegerSet::none();
  const std::int64_t low = remainder.low > 0 ? remainder.low : -kUnbounded;
  const std::int64_t high = remainder.high < 0 ? remainder.high : kUnbounded;
  if (!y.is_single() || y.low == 0) return IntegerSet::between(low, high);
  const std::int64_t by = std::abs(y.low);
  IntegerSet found =
      IntegerSet::make(low, high, std::gcd(remainder.modulus, by), remainder.residue);
  if (x.low >= 0 && !is_infinite(x.high) && x.low / by == x.high / by) {
    const std::int64_t before = x.low / by * by;
    found = intersection(found, IntegerSet::between(bound_sum(before, remainder.low, -kUnbounded),
                                                    bound_sum(before, remainder.high, kUnbounded)));
  }
  return found;
}

}  // namespace warpcheck::campaign::generate

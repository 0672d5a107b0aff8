// Properties of single roundings: if the operands leave an element only one rounding, its result
// distinguishes rounding to nearest from rounding towards zero. The bound of a long sum cannot.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "properties/checks/comparison.hpp"
#include "properties/checks/property_checks.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::checks {
namespace {

/// Sets all elements of each row of A to zero except one, or except two, of which the second is
/// divided by 2^smaller. The position of these elements differs from row to row.
void keep_products(reference::Matrix& a, const Case& line, std::optional<int> smaller = {}) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::uint64_t seed = line.seed + static_cast<std::uint64_t>(i);
    const std::uint64_t k = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(line.k));
    const std::uint64_t first = mixed(seed) % k;
    const std::uint64_t second =
        !smaller || k < 2 ? first : (first + 1 + mixed(seed, 1) % (k - 1)) % k;
    for (std::uint64_t p = 0; p < static_cast<std::uint64_t>(line.k); ++p) {
      double& element = a(i, static_cast<std::int64_t>(p));
      if (p == first) continue;
      element = p == second ? std::ldexp(element, -*smaller) : 0.0;
    }
  }
}

/// A value near |value| of `width` significant bits, the last of them 1, so that a product of two
/// has twice as many or one less.
double shortened(double value, int width) {
  if (value == 0.0) return 0.0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);  // 0.5 <= fraction < 1
  const double odd = 2.0 * std::floor(std::ldexp(fraction, width - 1)) + 1.0;
  return std::ldexp(odd, exponent - width);
}

/// Rounds to the type, whose smallest numbers have fewer bits.
void store(reference::Matrix& operand, ScalarType type) {
  for (double& value : operand.values) value = reference::round_to(type, value);
}

PropertyResult lone_roundings(run::Runner& runner, const Case& line, run::Operands values) {
  std::fill(values.bias.values.begin(), values.bias.values.end(), 0.0);
  PropertyResult result = run_and_compare(
      runner,
      run::make_problem(runner.variant(), line, std::move(values), run::usual_poison(line)));
  // The other terms are zero, and the error of a single rounding can be as large as its bound.
  result.sensitivity.reset();
  result.error_over_bound.reset();
  return result;
}

}  // namespace

namespace check {

PropertyResult one_product(run::Runner& runner, const Case& line) {
  run::Operands values = run::operands(runner.variant().contract, line);
  keep_products(values.a, line);
  return lone_roundings(runner, line, std::move(values));
}

PropertyResult two_products(run::Runner& runner, const Case& line) {
  const contract::Contract& contract = runner.variant().contract;
  run::Operands values = run::operands(contract, line);
  const int width = std::min({reference::format(contract.accumulate).precision / 2,
                              reference::format(contract.type_a).precision,
                              reference::format(contract.type_b).precision});
  // All have one sign, so that nothing cancels and the bound is half a step of D or little more.
  // The bound for random signs is wider for one rounding, and has no effect.
  for (double& value : values.a.values) value = shortened(value, width);
  for (double& value : values.b.values) value = shortened(value, width);
  // One product is moved against the other, so that their sum has more bits than it can keep.
  keep_products(values.a, line, width / 2);
  store(values.a, contract.type_a);
  store(values.b, contract.type_b);
  return lone_roundings(runner, line, std::move(values));
}

}  // namespace check
}  // namespace warpcheck::properties::checks

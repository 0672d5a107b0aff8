// Laws of single roundings: if the operands leave an element only one rounding, its result
// distinguishes rounding to nearest from rounding towards zero. The bound of a long sum cannot.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties {
namespace {

/// Sets all elements of each row of A to zero except one, or except two, of which the second is
/// divided by 2^smaller. The position of these elements differs from row to row.
void keep_products(reference::Matrix& a, const Case& problem, std::optional<int> smaller = {}) {
  const auto terms = static_cast<std::uint64_t>(a.columns);
  const std::uint64_t k = std::max<std::uint64_t>(1, terms);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::uint64_t seed = problem.seed + static_cast<std::uint64_t>(i);
    const std::uint64_t first = mixed(seed) % k;
    const std::uint64_t second =
        !smaller || k < 2 ? first : (first + 1 + mixed(seed, 1) % (k - 1)) % k;
    for (std::uint64_t p = 0; p < terms; ++p) {
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

/// Demands the value of the reference from operands that leave each element a single rounding.
CheckResult rounds_once(run::Runner& runner, const Inputs& inputs, run::Operands operands) {
  std::ranges::fill(operands.bias.values, 0.0);
  CheckResult result = right_values(runner, inputs.with(std::move(operands)));
  // The other terms are zero, and the error of a single rounding can be as large as its bound.
  result.sensitivity.reset();
  result.error_over_bound.reset();
  return result;
}

/// Values that round, and every other time an alpha that rounds the product once more.
Case rounding_product(const Contract&, const Case& problem) {
  Case changed = problem;
  changed.data = Recipe::normal;
  changed.set_value("alpha", changed.seed % 2 == 0 ? 1.0 : 1.7);
  changed.set_value("beta", 0.0);
  return changed;
}

/// Values whose sums round, and nothing that rounds them once more.
Case rounding_sum(const Contract& contract, const Case& problem) {
  Case changed = rounding_product(contract, problem);
  changed.set_value("alpha", 1.0);
  return changed;
}

}  // namespace

const Law kOneProductIsRoundedOnce = {
    .name = "one-product-is-rounded-once",
    .sentence =
        "where all products of an element but one are zero, D is that one, rounded to nearest",
    .applies = has<Trait::rounds_products_once>,
    .adapted = rounding_product,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          run::Operands operands = inputs.operands();
          keep_products(operands.a, problem);
          return rounds_once(runner, inputs, std::move(operands));
        },
    .broken_by = "d41_rounds_towards_zero",
};

const Law kTwoProductsAreAddedOnce = {
    .name = "two-products-are-added-once",
    .sentence =
        "where all products of an element but two are zero, and these exact, D is their sum, "
        "rounded to nearest",
    .applies = has<Trait::rounds_sums_once>,
    .adapted = rounding_sum,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          const Contract& contract = inputs.contract();
          run::Operands operands = inputs.operands();
          const int width = std::min({reference::format(contract.accumulate).precision / 2,
                                      reference::format(contract.type_a).precision,
                                      reference::format(contract.type_b).precision});
          // All have one sign, so that nothing cancels and the bound is half a step of D or little
          // more. The bound for random signs is wider for one rounding, and has no effect.
          for (double& value : operands.a.values) value = shortened(value, width);
          for (double& value : operands.b.values) value = shortened(value, width);
          // One product is moved against the other: their sum has more bits than it can keep.
          keep_products(operands.a, problem, width / 2);
          store(operands.a, contract.type_a);
          store(operands.b, contract.type_b);
          return rounds_once(runner, inputs, std::move(operands));
        },
    .broken_by = "d41_adds_slices_towards_zero",
};

}  // namespace warpcheck::properties

// Laws of factors: an operand whose factor is zero has no effect, even if it holds NaN.
#include <algorithm>
#include <limits>
#include <utility>

#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {

const Law kBetaZeroIgnoresC = {
    .name = "beta-zero-ignores-c",
    .sentence = "with beta = 0, NaN in C stays out of D",
    .applies = has<Trait::ignores_c>,
    .adapted = without_beta,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          run::Poison nan;
          nan.output_reads_are_findings = false;
          run::Poison large = nan;
          large.output = run::kLargePoison;
          return same_bits(runner, {"a large number in C", inputs.with(large)},
                           {"NaN in C", inputs.with(nan)});
        },
    .broken_by = "d17_beta_zero_reads_c",
};

const Law kAlphaZeroIgnoresAAndB = {
    .name = "alpha-zero-ignores-a-and-b",
    .sentence = "with alpha = 0, NaN in A and B stays out of D",
    .applies = has<Trait::ignores_a_and_b>,
    .adapted = without_alpha,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          run::Operands operands = inputs.operands();
          for (auto* const factor : {&operands.a, &operands.b}) {
            std::ranges::fill(factor->values, std::numeric_limits<double>::quiet_NaN());
          }
          return right_values(runner, inputs.with(std::move(operands)));
        },
    .broken_by = "d76_alpha_zero_reads_a",
};

}  // namespace warpcheck::properties

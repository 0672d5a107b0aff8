// Laws of right values: the outputs are those of the reference.
#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {
namespace {

CheckResult has_right_values(run::Runner& runner, const Case& problem) {
  return right_values(runner, Inputs(runner, problem).usual());
}

}  // namespace

const Law kMatchesReference = {
    .name = "matches-reference",
    .sentence = "D is alpha A B + beta C, within the bound that rounding allows",
    .sentence_for_operations =
        "each output is what the operation defines, within the bound that rounding allows",
    .applies = always,
    .adapted = as_generated,
    .check = has_right_values,
    .broken_by = "d25_bias_by_row",
};

const Law kKZeroScalesC = {
    .name = "k-zero-scales-c",
    .sentence = "with k = 0, D is beta C",
    .applies = has<Trait::adds_scaled_c>,
    .adapted =
        [](const Contract&, const Case& problem) {
          Case changed = problem;
          changed.set_value("k", 0.0);
          return changed;
        },
    .check = has_right_values,
    .broken_by = "d19_k_zero_unwritten",
};

const Law kOneHotPicksTheNamedElement = {
    .name = "one-hot-picks-the-named-element",
    .sentence = "one-hot operands pick the element that they name",
    .applies = has<Trait::encodes_indices>,
    .adapted =
        [](const Contract&, const Case& problem) {
          Case changed = problem;
          changed.data = Recipe::onehot;
          return changed;
        },
    .check = has_right_values,
    .broken_by = "d37_mma_swizzle_f16",
};

const Law kSecondCallOtherPointers = {
    .name = "second-call-other-pointers",
    .sentence =
        "a second call with other buffers and other data is right as well, whatever the first left "
        "behind",
    .applies = always,
    .adapted = as_generated,
    .check =
        [](run::Runner& runner, const Case& problem) {
          Case other = problem;
          other.seed = problem.seed + 1;
          return right_values(runner, run::with_earlier_call(Inputs(runner, other).usual(),
                                                             Inputs(runner, problem).usual()));
        },
    .broken_by = "d36_pointers_of_first_call",
};

}  // namespace warpcheck::properties

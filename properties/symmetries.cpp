// Laws of symmetry: a change of the problem changes the result in a known way, or not at all.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "campaign/case/case.hpp"
#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {
namespace {

/// The factors 2^e of the elements first, first + 1 ..., with exponents from 0 to `range` that have
/// no pattern of their own and are the same for every run.
std::vector<double> powers_of_two(std::int64_t count, std::int64_t first, int range) {
  std::vector<double> all;
  for (std::int64_t i = first; i < first + count; ++i) {
    const std::uint64_t hash = fibonacci_hash(static_cast<std::uint64_t>(i) + 1);
    const std::uint64_t exponent = (hash >> 40) % static_cast<std::uint64_t>(range + 1);
    all.push_back(std::ldexp(1.0, static_cast<int>(exponent)));
  }
  return all;
}

/// D grows by up to 2^(2 range): three bits each way where the formats are wide.
int range_of_scaling(const Contract& contract) {
  return size_of(contract.type_a) >= 4 && size_of(contract.type_b) >= 4 ? 3 : 1;
}

/// Values whose scaling can neither overflow nor underflow.
Case scalable(const Contract& contract, const Case& problem) {
  Case changed = without_beta(contract, problem);
  const bool is_wide = contract.deterministic && range_of_scaling(contract) == 3;
  if (!is_wide) return with_exact_sums(contract, changed);
  if (changed.data != Recipe::lattice) changed.data = Recipe::normal;
  return changed;
}

}  // namespace

const Law kPowerOfTwoScalingIsExact = {
    .name = "power-of-two-scaling-is-exact",
    .sentence =
        "scaling rows of A, columns of B and the inner dimension by powers of two scales D exactly",
    .applies = has<Trait::scales_exactly>,
    .adapted = scalable,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          run::Operands scaled = inputs.operands();
          const int range = range_of_scaling(inputs.contract());
          const std::vector<double> inner =
              powers_of_two(scaled.a.columns, 0, range == 3 ? range : 0);
          const Scaling scaling{powers_of_two(scaled.a.rows, 0, range),
                                powers_of_two(scaled.b.columns, 7, range)};
          const auto at = [](std::int64_t index) { return static_cast<std::size_t>(index); };
          for (std::int64_t i = 0; i < scaled.a.rows; ++i) {
            for (std::int64_t p = 0; p < scaled.a.columns; ++p) {
              scaled.a(i, p) *= scaling.rows[at(i)] * inner[at(p)];
            }
          }
          for (std::int64_t p = 0; p < scaled.b.rows; ++p) {
            const double by_row = 1.0 / inner[at(p % scaled.a.columns)];
            for (std::int64_t j = 0; j < scaled.b.columns; ++j) {
              scaled.b(p, j) *= scaling.columns[at(j)] * by_row;
            }
          }
          return same_bits(runner, {"the operands as generated, scaled afterwards", inputs.usual()},
                           {"operands scaled by powers of two", inputs.with(std::move(scaled))},
                           {.scaling = scaling});
        },
    .broken_by = "d37_mma_swizzle_f16",
};

const Law kPermutingRowsPermutesRows = {
    .name = "permuting-rows-permutes-rows",
    .sentence = "permuting the rows of A and C permutes the rows of D",
    .applies = has<Trait::sums_exactly>,
    .adapted = with_exact_sums,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          const run::Operands& original = inputs.operands();
          run::Operands permuted = original;
          const auto source = [m = problem.whole("m")](std::int64_t row) {
            return row / m * m + m - 1 - row % m;
          };
          for (std::int64_t i = 0; i < permuted.a.rows; ++i) {
            for (std::int64_t p = 0; p < permuted.a.columns; ++p) {
              permuted.a(i, p) = original.a(source(i), p);
            }
            if (original.c.values.empty()) continue;
            for (std::int64_t j = 0; j < permuted.c.columns; ++j) {
              permuted.c(i, j) = original.c(source(i), j);
            }
          }
          return same_bits(
              runner, {"the rows in order", inputs.usual()},
              {"the rows of A and C reversed", inputs.with(std::move(permuted))},
              {.origin = [&](const campaign::Placement&, campaign::judge::Place element) {
                return campaign::judge::Place{source(element.row), element.column};
              }});
        },
    .broken_by = "d25_bias_by_row",
};

const Law kWiderLayoutSameBits = {
    .name = "wider-layout-same-bits",
    .sentence = "a wider leading dimension and a shifted base give the same bits",
    .applies = has<Trait::sums_exactly>,
    .adapted = with_exact_sums,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          const Case moved = wider_and_shifted(inputs.contract(), problem);
          return same_bits(runner, {"the layout as generated", inputs.usual()},
                           {to_line(moved), inputs.in_layout(moved)});
        },
    .broken_by = "d06_c_with_ldb",
};

const Law kSameBitsTwice = {
    .name = "same-bits-twice",
    .sentence = "the same problem gives the same bits, however blocks and warps are scheduled",
    .applies = is_deterministic,
    .adapted = as_generated,
    .check =
        [](run::Runner& runner, const Case& problem) {
          run::Problem repeated = Inputs(runner, problem).usual();
          const run::Run first = runner.run(repeated);
          const std::uint64_t seed = repeated.job.schedule_seed;
          CheckResult result;
          for (const std::uint64_t other : {~seed, seed ^ kGoldenRatio, seed + 1}) {
            repeated.job.schedule_seed = other;
            result = campaign::checks::compare(runner, first, repeated,
                                               {.kind = FindingClass::nondeterministic,
                                                .first = "the first order",
                                                .second = "another order of blocks and warps"});
            if (!result.evidence.empty() || !result.launched) break;
          }
          return result;
        },
    .broken_by = "d39_order_of_blocks",
};

}  // namespace warpcheck::properties

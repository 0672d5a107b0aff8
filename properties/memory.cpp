// Laws of memory: which bytes a kernel reads and writes.
#include <algorithm>
#include <vector>

#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {

const Law kWritesEveryElement = {
    .name = "writes-every-element",
    .sentence = "D does not depend on what it held before, so every element is written",
    .sentence_for_operations =
        "no output depends on what it held before, so every element is written",
    .applies = always,
    .adapted = without_beta,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          const run::Problem first = inputs.with(run::Poison{});
          run::Poison large;
          large.output = run::kLargePoison;
          return same_bits(
              runner, {first.c_has_values() ? "small numbers in C" : "NaN in D beforehand", first},
              {"a large number in D beforehand", inputs.with(large)});
        },
    .broken_by = "d20_last_warp_of_columns",
};

const Law kWritesOnlyItsMatrix = {
    .name = "writes-only-its-matrix",
    .sentence = "no byte between the lines of C or around it is written",
    .sentence_for_operations = "no byte between the rows of an output or around it is written",
    .applies = has<Trait::pads_outputs>,
    .adapted = with_padding,
    .check =
        [](run::Runner& runner, const Case& problem) {
          // An element that the kernel writes as poison counts as unchanged: two poisons differ.
          const Inputs inputs(runner, problem);
          run::Poison poison = inputs.usual_poison();
          CheckResult result = sound_accesses(runner, inputs.with(poison));
          if (!result.evidence.empty() || !result.launched) return result;
          poison.padding = run::kLargePoison;
          return sound_accesses(runner, inputs.with(poison));
        },
    .broken_by = "d34_writes_row_padding",
};

const Law kReadsOnlyItsOperands = {
    .name = "reads-only-its-operands",
    .sentence = "D does not depend on the bytes between the lines of A, B and C",
    .sentence_for_operations = "no output depends on the bytes between the rows of a tensor",
    .applies = has<Trait::pads_operands>,
    .adapted = with_padding,
    .check =
        [](run::Runner& runner, const Case& problem) {
          const Inputs inputs(runner, problem);
          run::Poison large = inputs.usual_poison();
          large.padding = run::kLargePoison;
          return same_bits(runner, {"NaN between the lines of the matrices", inputs.usual()},
                           {"a large number between them", inputs.with(large)},
                           {.kind = FindingClass::uninitialized_read});
        },
    .broken_by = "d77_masks_by_a_factor",
};

const Law kLeavesInputsAlone = {
    .name = "leaves-inputs-alone",
    .sentence = "A and B hold the same bytes afterwards",
    .sentence_for_operations = "the inputs hold the same bytes afterwards",
    .applies = always,
    .adapted = as_generated,
    .check =
        [](run::Runner& runner, const Case& problem) {
          // Twice, as a change that needs a first one (a counter, a swap) shows only then. A
          // workspace that must hold zeros holds them once only.
          const Inputs inputs(runner, problem);
          run::Problem twice = inputs.usual();
          const auto& workspaces = inputs.contract().workspaces;
          if (std::none_of(workspaces.begin(), workspaces.end(),
                           [](const auto& workspace) { return workspace.zeroed; })) {
            const std::vector<device::Launch> once = twice.job.launches;
            twice.job.launches.insert(twice.job.launches.end(), once.begin(), once.end());
          }
          return sound_accesses(runner, twice);
        },
    .broken_by = "d35_scales_a_in_place",
};

}  // namespace warpcheck::properties

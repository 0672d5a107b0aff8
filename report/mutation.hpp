// What is told of planted defects: a table and the survivors for a person, JSON Lines for programs.
//   {"event":"mutant", variant, operator, file, line, ptx_line, before, after, fate, reached}
//     after is null where the instruction was dropped; one that was killed also has class, case and
//     cases; in a function that was inlined, called_from as findings have it
//   {"event":"mutation-score", variant, cases, possible, run, killed, survived, not_reached,
//     unreachable, equivalent, score, seconds, operators: [{operator, ...the same counts, score,
//     mean_cases}]}
#pragma once

#include <string>

#include "report/paint.hpp"
#include "workflows/mutate/mutate.hpp"

namespace warpcheck::report {

/// The table by operator; behind it the mutants that lived, with source and PTX, and those that
/// were proved to be no defects.
[[nodiscard]] std::string text(const workflows::mutate::MutationReport& report, const Paint& paint);

/// Every mutant, a line each: what `--list` prints.
[[nodiscard]] std::string list(const workflows::mutate::MutationReport& report);

/// One object a line.
[[nodiscard]] std::string json(const workflows::mutate::MutationReport& report);

}  // namespace warpcheck::report

// Console output of `mutate`.
#pragma once

#include <string>

#include "report/paint.hpp"
#include "workflows/mutate/mutate.hpp"

namespace warpcheck::report {

/// The table by operator, then the mutants that survived, with source and PTX, and those that are
/// proved to be no defects.
[[nodiscard]] std::string mutation_text(const workflows::mutate::MutationReport& report,
                                        const Paint& paint);

/// Every mutant on a line of its own: the output of `--list`.
[[nodiscard]] std::string mutant_list(const workflows::mutate::MutationReport& report);

}  // namespace warpcheck::report

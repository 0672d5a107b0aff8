// A mutation report with fixed contents.
#pragma once

#include "workflows/mutate/mutate.hpp"

namespace warpcheck::report {

/// Four mutants of a kernel "k": one killed, one that survived, one equivalent, one unreachable.
[[nodiscard]] workflows::mutate::MutationReport sample_mutation();

}  // namespace warpcheck::report

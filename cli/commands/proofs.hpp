// The proofs of `prove`, `check --prove` and `gate`.
#pragma once

namespace warpcheck::cli {

/// Throws EnvironmentError if the build has no solver.
void require_solver();

}  // namespace warpcheck::cli

#include "cli/commands/proofs.hpp"

#include "base/diagnostic.hpp"
#include "proof/proof.hpp"

namespace warpcheck::cli {

void require_solver() {
  if (proof::has_solver()) return;
  throw EnvironmentError(
      "this build of warpcheck has no solver: install z3 (Debian: libz3-dev) and build again");
}

}  // namespace warpcheck::cli

// Sizes for which a violation is possible.
#pragma once

#include <optional>
#include <vector>

#include "proof/domain/domain.hpp"
#include "proof/proof.hpp"
#include "proof/solve/solver.hpp"

namespace warpcheck::proof {

/// The sizes of a model. Strides that it does not have are tight.
[[nodiscard]] Witness make_witness(const Terms& terms, const Model& model, const Domain& domain);

/// At most two; small sizes are tried first. `bound_strides`: strides are small too.
[[nodiscard]] std::vector<Witness> find_witnesses(Terms& terms, Solver& solver,
                                                  const Domain& domain,
                                                  const std::vector<Formula>& violation,
                                                  bool bound_strides);

/// The sizes of a violation whose largest size is the least for which the solver finds one, and
/// whose other sizes are at most 1 where they can be. Empty: the solver finds none.
[[nodiscard]] std::optional<Witness> smallest_witness(Terms& terms, Solver& solver,
                                                      const Domain& domain,
                                                      const std::vector<Formula>& violation);

}  // namespace warpcheck::proof

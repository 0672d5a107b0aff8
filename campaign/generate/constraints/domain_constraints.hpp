// The conditions that a contract and the layout rules place on a case.
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/case/schema.hpp"
#include "campaign/generate/constraints/constraint.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Returns the values that a variable has in any case; a variable that no argument of the kernel
/// takes has one value.
[[nodiscard]] Domains initial_domains(const CaseSchema& schema);

/// Returns the conjuncts of `requires` in their order, and the rules that every case meets: strides
/// are at least tight, no operand takes more than `most_bytes`, and no workspace more than 1 GiB;
/// then the further rules.
[[nodiscard]] std::vector<Constraint> domain_constraints(const contract::Contract& contract,
                                                         const CaseSchema& schema,
                                                         std::int64_t most_bytes,
                                                         const std::vector<CaseRule>& rules = {});

}  // namespace warpcheck::campaign::generate

// Random contracts whose `requires` relate sizes, strides and alignments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "campaign/case/case.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::campaign::testing {

struct RandomDomain {
  std::string text;  // text of the contract
  contract::Variant variant;
  std::optional<Case> witness;  // a case in the domain, around which the conditions were chosen
};

/// Returns a contract with two to five conditions. With `satisfiable`, each holds for a hidden
/// witness. Equal seeds give equal contracts.
[[nodiscard]] RandomDomain random_domain(std::uint64_t seed, bool satisfiable);

/// Returns a valid case with small sizes, in the domain or not. Close to `around` if it is given.
[[nodiscard]] Case random_valid_case(const contract::Contract& contract, std::uint64_t seed,
                                     const Case* around = nullptr);

}  // namespace warpcheck::campaign::testing

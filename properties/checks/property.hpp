// The statements that must hold for every case in a contract's domain.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/run/runner.hpp"

namespace warpcheck::properties::checks {

/// Result of checking one property on one case.
struct PropertyResult {
  std::vector<run::Evidence> evidence;  // empty: it holds
  std::optional<double>
      sensitivity;  // share of the terms whose loss would have been seen for certain;
                    // empty where no values were compared with the reference's
  std::optional<double> error_over_bound;  // the largest |error| / tolerance; at most 1 where the
                                           // values are right; empty as sensitivity is
  std::string printed;                     // by the kernel
  bool launched = false;                   // false: there was nothing to do
  std::vector<run::Evidence> notes;        // reported, but not failures
  std::optional<device::Unsupported> unsupported;  // what the device could not execute; then the
                                                   // property is not checked, but `evidence` holds
};

struct Property {
  std::string_view name;       // as `--property` and the case line's `property=` spell it
  std::string_view statement;  // one sentence
  /// Returns true if the property applies to kernels of this contract.
  bool (*applies)(const contract::Contract& contract);
  /// The case changed so that it meets the statement's conditions: beta = 0, a wider leading
  /// dimension. Applied to its own result it changes nothing. May leave the domain.
  Case (*adapted)(const contract::Contract& contract, const Case& problem);
  /// Checks the property on an adapted case.
  PropertyResult (*check)(run::Runner& runner, const Case& problem);
  std::string_view statement_of_tensors = {};  // of an operation of the language; empty: the same
};

/// All of them; the first, matches-reference, is checked on every case.
[[nodiscard]] std::span<const Property> properties();

/// By name; empty means matches-reference. Throws InputError, with a suggestion, where there is
/// none.
[[nodiscard]] const Property& property(std::string_view name);

/// The case as the property needs it, normalized and named.
[[nodiscard]] Case adapted(const Property& property, const contract::Contract& contract,
                           const Case& problem);

/// The same; empty where the property does not apply or its conditions lie outside the contract's
/// domain.
[[nodiscard]] std::optional<Case> adapted_to_domain(const Property& property,
                                                    const contract::Contract& contract,
                                                    const Case& problem);

/// Checks the property on an adapted case. Throws InputError if the case has no valid layout.
[[nodiscard]] PropertyResult run_property(const Property& property, run::Runner& runner,
                                          const Case& problem);

}  // namespace warpcheck::properties::checks

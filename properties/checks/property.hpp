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
  // Share of the terms whose loss would certainly have been detected. Empty if no values were
  // compared with those of the reference.
  std::optional<double> sensitivity;
  // The largest |error| / tolerance; at most 1 if the values are right. Empty if sensitivity is.
  std::optional<double> error_over_bound;
  std::string printed;               // output of the kernel
  bool launched = false;             // false: there was nothing to do
  std::vector<run::Evidence> notes;  // reported, but not failures
  // The form that the device could not execute. Then the property is not checked, but `evidence`
  // holds.
  std::optional<device::Unsupported> unsupported;
};

struct Property {
  std::string_view name;  // spelled the same way in `--property` and in the case line's `property=`
  std::string_view statement;  // one sentence
  /// Returns true if the property applies to kernels of this contract.
  bool (*applies)(const contract::Contract& contract);
  /// The case changed so that it meets the statement's conditions: beta = 0, a wider leading
  /// dimension. Applied to its own result it changes nothing. May leave the domain.
  Case (*adapted)(const contract::Contract& contract, const Case& problem);
  /// Checks the property on an adapted case.
  PropertyResult (*check)(run::Runner& runner, const Case& problem);
  // Statement for operations other than gemm; empty: the same.
  std::string_view statement_of_tensors = {};
};

/// All of them; the first, matches-reference, is checked on every case.
[[nodiscard]] std::span<const Property> properties();

/// Returns the property of this name; matches-reference for an empty name. Throws InputError, with
/// a suggestion, if there is none.
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

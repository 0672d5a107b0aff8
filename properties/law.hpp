// A law is demanded of a kernel in every case that its contract admits.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "campaign/checks/check_result.hpp"
#include "contract/contract.hpp"

namespace warpcheck::properties {

using campaign::Case;
using campaign::checks::CheckResult;
using contract::Contract;
namespace run = campaign::run;

/// A contract to which a law applies.
using Condition = bool (*)(const Contract& contract);
/// The case changed so that it meets the conditions of a law: beta = 0, a wider leading dimension.
/// Applied to its own result it changes nothing. May leave the domain.
using Adaptation = Case (*)(const Contract& contract, const Case& problem);
/// Runs the kernel on an adapted case, once or several times, and compares.
using Check = CheckResult (*)(run::Runner& runner, const Case& problem);

struct Law {
  std::string_view name;      // the word in `--property` and in the case line's `property=`
  std::string_view sentence;  // a statement about products of matrices
  std::string_view sentence_for_operations =
      {};  // the statement about other operations; empty: the same
  Condition applies;
  Adaptation adapted;
  Check check;
  std::string_view broken_by;  // name of the specimen on which a test sees the law fail
};

/// All of them; the first, matches-reference, is checked on every case.
[[nodiscard]] std::span<const Law> laws();

/// Returns the law of this name; matches-reference for an empty name. Throws InputError, with a
/// suggestion, if there is none.
[[nodiscard]] const Law& law(std::string_view name);

/// The case as the law needs it, normalized and named.
[[nodiscard]] Case adapted(const Law& law, const Contract& contract, const Case& problem);

/// The same; empty where the law does not apply or its conditions lie outside the contract's
/// domain.
[[nodiscard]] std::optional<Case> adapted_to_domain(const Law& law, const Contract& contract,
                                                    const Case& problem);

/// Checks the law on an adapted case, once. `locate`: finds the source line of a wrong value.
/// Throws InputError if the case has no valid layout, and run::StoppedRun if the device stopped.
[[nodiscard]] CheckResult check_law(const Law& law, const run::Context& context,
                                    const Case& problem, bool locate);

}  // namespace warpcheck::properties

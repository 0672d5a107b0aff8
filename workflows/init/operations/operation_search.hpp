// Contracts of kernels that are no matrix products: the definitions of known operations are tried
// on the virtual device; if none is right, the definition remains to be written.
#pragma once

#include <optional>
#include <vector>

#include "campaign/options.hpp"
#include "campaign/report.hpp"
#include "workflows/init/draft/draft.hpp"
#include "workflows/init/draft/trial.hpp"
#include "workflows/init/operations/known_operations.hpp"
#include "workflows/init/operations/operation_kernel.hpp"

namespace warpcheck::workflows::init {

struct OperationGuess {
  std::optional<Draft> draft;  // empty: the parameters are not those of an operation
  bool fits = false;           // its cases have no other findings than wrong results
  int tried = 0;
  bool is_incomplete = false;  // a limit ended the search before each definition was tried
  // A finding of `draft` that has another cause than the definition, if nothing fits.
  std::optional<campaign::FindingReport> failure;
  // A finding of a contract with `requires` of its own, without them.
  std::optional<campaign::FindingReport> failure_without_limits;
  // The check of a definition that is right; empty: draft has none.
  std::optional<campaign::VariantReport> report;
};

/// The contracts of the kernel as this operation, one for each geometry; empty if its parameters
/// are not those of the operation.
[[nodiscard]] std::vector<Draft> drafts_of(const OperationKernel& kernel,
                                           const KnownOperation& known);

struct SearchLimits {
  int most_trials = 0;        // contracts
  double most_seconds = 0.0;  // prevents endless searches; a guess should not depend on it
};

/// Tries the known operations until one passes; the others on tensors of the same dimensions that
/// pass the same cases are its `other_definitions`. Without a trial, no definition is tried.
[[nodiscard]] OperationGuess guess_operation(const OperationKernel& kernel, const Trial* trial,
                                             const campaign::CampaignOptions& options,
                                             const SearchLimits& limits);

/// The kernel may have been written for other sizes or addresses.
[[nodiscard]] bool is_outside(FindingClass kind);

/// True if a right kernel has such findings under a contract with other shapes or another output.
[[nodiscard]] bool may_be_of_contract(FindingClass kind);

}  // namespace warpcheck::workflows::init

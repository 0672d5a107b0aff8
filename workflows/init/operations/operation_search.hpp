// Contracts of kernels that are no matrix products: the definitions of known operations are tried
// on the virtual device; if none is right, the definition remains to be written.
#pragma once

#include <optional>
#include <vector>

#include "properties/campaign/options.hpp"
#include "properties/campaign/report.hpp"
#include "workflows/init/draft/draft.hpp"
#include "workflows/init/draft/trial.hpp"
#include "workflows/init/operations/known_operations.hpp"
#include "workflows/init/operations/operation_kernel.hpp"

namespace warpcheck::workflows::init {

struct OperationGuess {
  std::optional<Draft> draft;  // empty: the parameters are not those of an operation
  bool fits = false;           // its cases have no other findings than wrong results
  int tried = 0;
  // If nothing fits: a finding of `draft` that has another cause than the definition.
  std::optional<properties::campaign::FindingReport> failure;
  // The check of a definition that is right; empty: draft has none.
  std::optional<properties::campaign::VariantReport> report;
};

/// The contracts of the kernel as this operation, one for each geometry; empty if its parameters
/// are not those of the operation.
[[nodiscard]] std::vector<Draft> drafts_of(const OperationKernel& kernel,
                                           const KnownOperation& known);

/// Tries the known operations until one passes, at most for `most_seconds`. Without a trial, no
/// definition is tried.
[[nodiscard]] OperationGuess guess_operation(const OperationKernel& kernel, const Trial* trial,
                                             const properties::campaign::CampaignOptions& options,
                                             double most_seconds);

}  // namespace warpcheck::workflows::init

// The guesses for one instance of a kernel, from its source, its launch and its PTX.
#pragma once

#include <optional>
#include <string>

#include "workflows/init/alternatives.hpp"
#include "workflows/init/draft/trial.hpp"
#include "workflows/init/operations/operation_search.hpp"
#include "workflows/init/source/template_arguments.hpp"

namespace warpcheck::workflows::init {

struct InstanceGuesses {
  Guesses guesses;
  std::int64_t step_k = 0;    // elements of k per step, as the constants suggest; 0: unknown
  std::string not_a_product;  // reason why the parameters fit no matrix product; empty: they may
  // The parameters, the index expressions or a product of both operands show it: a contract that
  // fails may be that of a matrix product with a defect.
  bool is_likely_product = false;
  OperationKernel operation;  // the kernel in contracts of other operations
};

/// `compiled` is null without nvcc: then the types are those of the source. The others must outlive
/// the guesses.
[[nodiscard]] InstanceGuesses guesses_for(const SourceText& source, const KernelDeclaration& kernel,
                                          const Instance& instance, const CompiledKernel* compiled);

}  // namespace warpcheck::workflows::init

// From a .cu with contracts to variants.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contract/compile/compile_cache.hpp"
#include "contract/compile/variant.hpp"
#include "contract/kernel_source.hpp"

namespace warpcheck::contract {

/// The contracts of one .cu that share an architecture, with their PTX.
struct CompiledGroup {
  std::string architecture;  // as in the contracts: empty for the default
  std::shared_ptr<const Compiled> compiled;
  std::vector<std::filesystem::path> dependencies;
};

/// One nvcc run for each architecture that the contracts ask for. Throws InputError with nvcc's own
/// errors, or with a located one for each kernel that is not in the source.
[[nodiscard]] std::vector<CompiledGroup> compile(const KernelSource& source,
                                                 const CompileCache& cache);

/// Finds the entry of every contract in the PTX, and compares its parameters with the arguments.
/// Variants come in the order of the contracts. Throws InputError with all errors found.
[[nodiscard]] std::vector<Variant> variants_of(const KernelSource& source,
                                               const std::vector<CompiledGroup>& groups);

}  // namespace warpcheck::contract

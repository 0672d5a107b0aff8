// Compiles a .cu file with contracts into variants.
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

/// Runs nvcc once for each architecture of the contracts. Throws InputError with the errors of
/// nvcc, or with a located error for each kernel that is not in the source.
[[nodiscard]] std::vector<CompiledGroup> compile(const KernelSource& source,
                                                 const CompileCache& cache);

/// Finds the entries of every contract in the PTX, and compares their parameters with the
/// arguments. The variants have the order of the contracts. Throws InputError with all errors.
[[nodiscard]] std::vector<Variant> variants_of(const KernelSource& source,
                                               const std::vector<CompiledGroup>& groups);

}  // namespace warpcheck::contract

// Compiles a .cu file with contracts into variants.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contract/compile/compile_cache.hpp"
#include "contract/compile/variant.hpp"
#include "contract/kernel_source.hpp"

namespace warpcheck::contract {

/// The contracts of one .cu that share the options of nvcc, with their PTX.
struct CompiledGroup {
  std::vector<std::string> build;  // build_key() of the contracts
  std::shared_ptr<const Compiled> compiled;
  std::vector<std::filesystem::path> dependencies;
  /// The references in C++ of their operations, by the names of these.
  std::map<std::string, std::shared_ptr<operation::HostFunction>> references = {};
};

/// The different values of build_key(), in the order of the contracts.
[[nodiscard]] std::vector<std::vector<std::string>> builds_of(const KernelSource& source);

/// Runs nvcc once for each of builds_of(). Throws InputError with the errors of nvcc, or with a
/// located error for each kernel that is not in the source, folder of headers that does not exist,
/// and macro that has no effect.
[[nodiscard]] std::vector<CompiledGroup> compile(const KernelSource& source,
                                                 const CompileCache& cache);

/// Finds the entries of every contract in the PTX, and compares their parameters with the
/// arguments. The variants have the order of the contracts. Throws InputError with all errors.
[[nodiscard]] std::vector<Variant> variants_of(const KernelSource& source,
                                               const std::vector<CompiledGroup>& groups);

}  // namespace warpcheck::contract

// Compiles the references in C++ of a .cu file.
#pragma once

#include <memory>

#include "contract/compile/compile_cache.hpp"
#include "contract/kernel_source.hpp"
#include "operation/host_function.hpp"

namespace warpcheck::contract {

/// The folder of the header warpcheck/reference.hpp, below that of the cache: an option of nvcc.
[[nodiscard]] std::string reference_include_flag(const CompileCache& cache);

/// The function that `reference` of the contract's operation names, compiled with the options of
/// the contract. Throws InputError if the source has no such function, or one with other
/// parameters.
[[nodiscard]] std::shared_ptr<operation::HostFunction> compile_reference(const KernelSource& source,
                                                                         const Contract& contract,
                                                                         const CompileCache& cache);

}  // namespace warpcheck::contract

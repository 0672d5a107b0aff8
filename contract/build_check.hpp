// Checks that the keys `include`, `defines` and `instances` have the effect that they state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contract/kernel_source.hpp"

namespace warpcheck::contract {

/// Throws InputError with an error for each folder of `include` that does not exist.
void require_folders(const KernelSource& source, const Contract& contract);

/// Throws InputError for a macro of `defines` that the source defines again, with another value.
[[noreturn]] void throw_redefined(const KernelSource& source, const Contract& contract,
                                  const std::string& name);

/// Throws InputError for the macros of instances that occur in no file of the compilation: they are
/// misspelled, since the instances of a kernel differ.
void require_effects(const KernelSource& source, const std::vector<Contract>& contracts,
                     const std::vector<std::filesystem::path>& dependencies);

}  // namespace warpcheck::contract

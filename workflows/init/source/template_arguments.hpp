// The instances of a kernel template: from launches and explicit instantiations, or guessed.
#pragma once

#include <string>
#include <vector>

#include "workflows/init/source/host_expression.hpp"
#include "workflows/init/source/kernels_in_source.hpp"

namespace warpcheck::workflows::init {

struct Instance {
  std::vector<std::string> arguments;    // of the template; empty for a kernel that is none
  std::string note;                      // where they come from
  const KernelLaunch* launch = nullptr;  // null: none is known
};

/// At least one instance; each combination of arguments once.
[[nodiscard]] std::vector<Instance> instances_of(const KernelDeclaration& kernel,
                                                 const SourceText& source,
                                                 const std::vector<KernelLaunch>& launches);

/// "ns::sgemm<32, float>".
[[nodiscard]] std::string instance_name(const KernelDeclaration& kernel, const Instance& instance);

/// "sgemm32": letters, digits and '_'.
[[nodiscard]] std::string variant_name(const KernelDeclaration& kernel, const Instance& instance);

/// The names that the code at a launch sees: constants of all files, and definitions of its
/// function.
[[nodiscard]] HostScope scope_at(const SourceText& source, const KernelLaunch& launch);

/// The names that the body of an instance sees.
[[nodiscard]] HostScope scope_in(const SourceText& source, const KernelDeclaration& kernel,
                                 const Instance& instance);

}  // namespace warpcheck::workflows::init

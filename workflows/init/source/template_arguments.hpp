// The instances of a kernel template: from launches and explicit instantiations, or guessed.
#pragma once

#include <string>
#include <vector>

#include "workflows/init/source/host_expression.hpp"
#include "workflows/init/source/kernels_in_source.hpp"

namespace warpcheck::workflows::init {

struct Instance {
  std::vector<std::string> arguments;  // template arguments; empty for a kernel that is no template
  std::string note;                    // origin of the arguments
  const KernelLaunch* launch = nullptr;  // null: none is known
};

/// Returns at least one instance, and each combination of arguments once.
[[nodiscard]] std::vector<Instance> instances_of(const KernelDeclaration& kernel,
                                                 const SourceText& source,
                                                 const std::vector<KernelLaunch>& launches);

/// "ns::sgemm<32, float>".
[[nodiscard]] std::string instance_name(const KernelDeclaration& kernel, const Instance& instance);

/// "sgemm32": letters, digits and '_'.
[[nodiscard]] std::string variant_name(const KernelDeclaration& kernel, const Instance& instance);

/// Returns the names in the scope of a launch: constants of all files, and definitions of its
/// function.
[[nodiscard]] HostScope scope_at(const SourceText& source, const KernelLaunch& launch);

/// Returns the names in the scope of the body of an instance.
[[nodiscard]] HostScope scope_in(const SourceText& source, const KernelDeclaration& kernel,
                                 const Instance& instance);

}  // namespace warpcheck::workflows::init

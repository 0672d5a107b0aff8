// Compiles the instances of a file's kernels, for which there is no contract yet.
#pragma once

#include <string>
#include <vector>

#include "workflows/init/draft/trial.hpp"
#include "workflows/init/source/source_text.hpp"

namespace warpcheck::workflows::init {

struct InstanceToCompile {
  std::string kernel;  // the C++ name with template arguments
  std::size_t parameters = 0;
  std::string architecture;  // empty: the default
};

struct CompiledInstance {
  std::optional<CompiledKernel> kernel;
  std::string error;  // reason why there is no kernel
};

/// Compiles the instances with one run of nvcc; if it fails, with one run for each. The results
/// have the order of the instances. Throws EnvironmentError if there is no nvcc.
[[nodiscard]] std::vector<CompiledInstance> compile_instances(
    const FileTokens& file, const std::vector<InstanceToCompile>& instances);

}  // namespace warpcheck::workflows::init

#include "workflows/init/kernel_compiler.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostic.hpp"
#include "contract/compile/compile.hpp"

namespace warpcheck::workflows::init {
namespace {

/// A contract that passes 0, which fits every parameter: it is compiled, never run.
contract::Contract placeholder(const InstanceToCompile& instance, std::size_t number) {
  contract::Contract contract;
  contract.name = fmt::format("instance_{}", number);
  contract.operation = "gemm";
  contract.architecture = instance.architecture;
  contract::LaunchStep step;
  step.kernel = instance.kernel;
  step.arguments.assign(instance.parameters, {contract::ArgumentWord::literal, "0", {}});
  contract.launches.push_back(std::move(step));
  return contract;
}

std::vector<CompiledInstance> compiled_together(const FileTokens& file,
                                                const std::vector<InstanceToCompile>& instances,
                                                const contract::CompileCache& cache) {
  contract::KernelSource source;
  source.file = file.file;
  source.text = *file.text;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    source.contracts.push_back(placeholder(instances[i], i));
  }
  std::vector<CompiledInstance> compiled;
  for (contract::Variant& variant :
       contract::variants_of(source, contract::compile(source, cache))) {
    compiled.push_back({CompiledKernel{variant.compiled, std::move(variant.entries.front())}, {}});
  }
  return compiled;
}

std::string message_of(const InputError& error) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    text += (text.empty() ? "" : "\n") + diagnostic.message;
  }
  return text;
}

}  // namespace

std::vector<CompiledInstance> compile_instances(const FileTokens& file,
                                                const std::vector<InstanceToCompile>& instances) {
  const contract::CompileCache cache;
  try {
    return compiled_together(file, instances, cache);
  } catch (const InputError& error) {
    if (instances.size() == 1) return {{std::nullopt, message_of(error)}};
  }
  std::vector<CompiledInstance> compiled;
  for (const InstanceToCompile& instance : instances) {
    try {
      compiled.push_back(compiled_together(file, {instance}, cache).front());
    } catch (const InputError& error) {
      compiled.push_back({std::nullopt, message_of(error)});
    }
  }
  return compiled;
}

}  // namespace warpcheck::workflows::init

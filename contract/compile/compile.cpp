#include "contract/compile/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "base/files.hpp"
#include "base/parallel_for.hpp"
#include "base/process/child_process.hpp"
#include "base/text/demangle.hpp"
#include "base/text/visible_text.hpp"
#include "contract/build_check.hpp"
#include "contract/compile/instantiation.hpp"
#include "contract/compile/nvcc.hpp"
#include "contract/compile/ptx_source.hpp"
#include "contract/compile/reference_library.hpp"
#include "contract/parameters/parameter_check.hpp"
#include "contract/source/device_code.hpp"
#include "contract/source/kernel_declaration.hpp"
#include "contract/source/kernel_template.hpp"
#include "ptx/file_names.hpp"

namespace warpcheck::contract {
namespace {

using Build = std::vector<std::string>;

/// The options of a group of contracts.
struct NvccOptions {
  std::string architecture;
  std::vector<std::string> arguments;
};

std::vector<Contract> contracts_for(const KernelSource& source, const Build& build) {
  std::vector<Contract> contracts;
  for (const Contract& contract : source.contracts) {
    if (build_key(contract) == build) contracts.push_back(contract);
  }
  return contracts;
}

bool has_reference(const Contract& contract) {
  return contract.tensors != nullptr && !contract.tensors->operation.reference.empty();
}

std::vector<LaunchStep> steps_of(const std::vector<Contract>& contracts) {
  std::vector<LaunchStep> steps;
  for (const Contract& contract : contracts) {
    steps.insert(steps.end(), contract.launches.begin(), contract.launches.end());
  }
  return steps;
}

/// "x.cu, which has naive, tiled". Lists kernels of the .cu itself, not of the files that it
/// includes.
std::string kernels_in(const KernelSource& source) {
  std::string file = std::filesystem::path(source.file).filename().string();
  const std::vector<std::string> names = kernel_names(source.text);
  if (names.empty()) return file;
  return fmt::format("{}, which has {}", file, fmt::join(names, ", "));
}

/// The contract names no instance of the template, or gives it arguments that do not fit.
Diagnostic wrong_instance(const KernelSource& source, const LaunchStep& step,
                          const KernelTemplate& found) {
  const std::string name = step.kernel.substr(0, step.kernel.find('<'));
  std::string message = name == step.kernel
                            ? fmt::format("kernel '{}' is a template: expected an instance, {}<{}>",
                                          name, name, found.parameters)
                            : fmt::format("'{}' is not an instance of the template {}<{}>",
                                          step.kernel, name, found.parameters);
  if (!found.instances.empty()) {
    message += fmt::format("; the source has {}", fmt::join(found.instances, ", "));
  }
  std::replace(message.begin(), message.end(), '\n', ' ');
  return source.with_excerpt({step.kernel_where, std::move(message), {}});
}

/// The message for a name that nvcc does not find.
std::string unknown_kernel(const KernelSource& source, const LaunchStep& step,
                           const std::string& message) {
  const std::vector<std::string> names = kernel_names(source.text);
  const bool is_undefined = message.find("is undefined") != std::string::npos;
  if (is_undefined && std::find(names.begin(), names.end(), step.kernel) != names.end()) {
    return fmt::format(
        "kernel '{0}' is in a namespace or a class: expected its qualified name, "
        "such as ns::{0}",
        step.kernel);
  }
  if (step.kernel.starts_with("_Z")) {
    return fmt::format("found the mangled name '{}', expected the C++ name of a kernel of {}",
                       step.kernel, kernels_in(source));
  }
  return fmt::format("kernel '{}' is not in {}: {}", step.kernel, kernels_in(source), message);
}

Diagnostic missing_kernel(const KernelSource& source, const LaunchStep& step,
                          const std::string& message) {
  // An error about pick(): the name is declared, but it is not the name of a single function.
  if (message.find("warpcheck_kernels::") != std::string::npos) {
    const auto found = kernel_template(source.text, step.kernel);
    const bool selects_overload = step.kernel.find('(') != std::string::npos;
    if (found && !found->is_overloaded && !selects_overload) {
      return wrong_instance(source, step, *found);
    }
    return source.with_excerpt(
        {step.kernel_where,
         fmt::format("'{0}' is not one kernel with {1} parameters: of several, select one by its "
                     "parameter types, as in {0}(float*, int)",
                     step.kernel, step.arguments.size()),
         {}});
  }
  return source.with_excerpt({step.kernel_where, unknown_kernel(source, step, message), {}});
}

Diagnostic verbatim(const KernelSource& source, std::string output) {
  return {{source.file, 0, 0}, std::move(output), {}, true};
}

/// nvcc's error about an architecture, located at each contract that names it. Empty if its
/// error is another one.
std::vector<Diagnostic> architecture_errors(const KernelSource& source,
                                            const std::string& architecture,
                                            std::string_view nvcc_output) {
  std::vector<Diagnostic> errors;
  const bool is_refused = !architecture.empty() && nvcc_output.starts_with("nvcc fatal") &&
                          nvcc_output.find("'" + architecture + "'") != std::string_view::npos;
  if (!is_refused) return errors;
  const std::string nvcc = find_nvcc().string();
  std::string known = run_child({nvcc, "--list-gpu-code"}).output;
  std::replace(known.begin(), known.end(), '\n', ' ');
  known.resize(known.find_last_not_of(' ') + 1);
  for (const Contract& contract : source.contracts) {
    const bool is_first = errors.empty() || !(errors.back().where == contract.architecture_where);
    if (contract.architecture != architecture || !is_first) continue;
    errors.push_back(source.with_excerpt(
        {contract.architecture_where,
         fmt::format("{} does not support the architecture '{}': expected one of {}", nvcc,
                     architecture, known),
         {}}));
  }
  return errors;
}

[[noreturn]] void throw_errors(const KernelSource& source, const std::vector<LaunchStep>& steps,
                               const NvccOptions& options, const CompileCache& cache,
                               const Compilation& failed) {
  std::vector<Diagnostic> errors = architecture_errors(source, options.architecture, failed.output);
  if (!errors.empty()) throw InputError(std::move(errors));
  const auto found = errors_of_uses(failed.output, failed.text_file, steps);
  // An error that the .cu also has alone is reported without the text around it.
  const bool wrong_uses =
      std::any_of(found.begin(), found.end(), [](const auto& error) { return error.has_value(); });
  std::string own_errors =
      wrong_uses ? "" : cache.errors_in(source.file, options.architecture, options.arguments);
  if (!own_errors.empty()) throw InputError(verbatim(source, std::move(own_errors)));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) errors.push_back(missing_kernel(source, steps[i], *found[i]));
  }
  if (errors.empty()) errors.push_back(verbatim(source, failed.output));
  throw InputError(std::move(errors));
}

/// Compiles without the host code, for a source whose host code includes a header that this machine
/// lacks. Returns the failed compilation if the reason is another one.
Compilation without_host_code(const KernelSource& source, const std::vector<LaunchStep>& steps,
                              const NvccOptions& options, const CompileCache& cache,
                              Compilation compilation) {
  constexpr int kMostAttempts = 16;
  if (!missing_header(compilation.output)) return compilation;
  DeviceCode code(source.file, source.text);
  for (int i = 0; i < kMostAttempts && !compilation.succeeded; ++i) {
    if (!code.avoid(compilation.output)) break;
    compilation = cache.compile(instantiating_text(cache.stored(code.text()).string(), steps),
                                options.architecture, options.arguments);
  }
  compilation.dependencies.emplace_back(source.file);
  return compilation;
}

Diagnostic not_global(const KernelSource& source, const LaunchStep& step) {
  return source.with_excerpt({step.kernel_where,
                              fmt::format("'{0}' is not a __global__ function of {1}: "
                                          "expected __global__ void {0}(...)",
                                          step.kernel, kernels_in(source)),
                              {}});
}

/// nvcc writes '?' for each byte of a file's name that is not UTF-8. The dependencies have the
/// names themselves.
std::string with_exact_names(std::string ptx, const std::vector<std::filesystem::path>& files) {
  std::map<std::string, std::string> exact;
  for (const std::filesystem::path& file : files) {
    std::string name = file.string();
    std::string written;
    for (std::string_view rest = name; !rest.empty();) {
      const std::size_t length = utf8_length(rest);
      written += length == 0 ? "?" : rest.substr(0, length);
      rest.remove_prefix(std::max<std::size_t>(length, 1));
    }
    if (written != name) exact[written] = std::move(name);
  }
  if (exact.empty()) return ptx;
  return ptx::with_file_names(ptx, [&](const std::string& name) {
    const auto found = exact.find(name);
    return found == exact.end() ? name : found->second;
  });
}

CompiledGroup compile_group(const KernelSource& source, const Build& build,
                            const CompileCache& cache) {
  const std::vector<Contract> contracts = contracts_for(source, build);
  const Contract& first = contracts.front();
  require_folders(source, first);
  NvccOptions options{first.architecture, nvcc_arguments(first)};
  const auto with_reference = std::find_if(contracts.begin(), contracts.end(), has_reference);
  if (with_reference != contracts.end()) {
    options.arguments.push_back(reference_include_flag(cache));
  }
  const std::vector<LaunchStep> steps = steps_of(contracts);
  Compilation compilation = cache.compile(instantiating_text(source.file, steps),
                                          options.architecture, options.arguments, source.text);
  if (!compilation.succeeded && compilation.redefined.empty()) {
    compilation = without_host_code(source, steps, options, cache, std::move(compilation));
  }
  if (!compilation.redefined.empty()) throw_redefined(source, first, compilation.redefined);
  if (!compilation.succeeded) throw_errors(source, steps, options, cache, compilation);
  require_effects(source, contracts, compilation.dependencies);
  std::string ptx = with_exact_names(std::move(compilation.ptx), compilation.dependencies);
  CompiledGroup group{build,
                      std::make_shared<Compiled>(Compiled{
                          source.file, source.text, compilation.ptx_file.string(), std::move(ptx)}),
                      std::move(compilation.dependencies)};
  for (const Contract& contract : contracts) {
    if (!has_reference(contract)) continue;
    auto& reference = group.references[contract.operation];
    if (reference == nullptr) reference = compile_reference(source, contract, cache);
  }
  return group;
}

/// Gives the operation its reference in C++.
void set_reference(const KernelSource& source, const CompiledGroup& group, Contract& contract) {
  if (!has_reference(contract)) return;
  const auto found = group.references.find(contract.operation);
  if (found == group.references.end()) {
    throw InputError(source.with_excerpt(
        {contract.tensors->operation.where,
         "a reference in C++ is compiled with the kernel: expected a .cu, or the key `define`",
         {}}));
  }
  auto typed = std::make_shared<TypedOperation>(*contract.tensors);
  typed->host = found->second;
  contract.tensors = std::move(typed);
}

}  // namespace

std::vector<Build> builds_of(const KernelSource& source) {
  std::vector<Build> builds;
  for (const Contract& contract : source.contracts) {
    Build build = build_key(contract);
    if (std::find(builds.begin(), builds.end(), build) == builds.end()) {
      builds.push_back(std::move(build));
    }
  }
  return builds;
}

std::vector<CompiledGroup> compile(const KernelSource& source, const CompileCache& cache) {
  const std::vector<Build> builds = builds_of(source);
  std::vector<CompiledGroup> groups(builds.size());
  const auto errors = parallel_try(builds.size(), 0, [&](std::size_t i) {
    groups[i] = compile_group(source, builds[i], cache);
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return groups;
}

std::vector<Variant> variants_of(const KernelSource& source,
                                 const std::vector<CompiledGroup>& groups) {
  std::map<std::string, Variant> by_name;
  std::vector<Diagnostic> errors;
  for (const CompiledGroup& group : groups) {
    const std::vector<Contract> contracts = contracts_for(source, group.build);
    const bool is_from_ptx = is_ptx(source.file);
    const auto entries = is_from_ptx
                             ? named_entries(group.compiled->ptx, steps_of(contracts))
                             : instantiated_entries(group.compiled->ptx, steps_of(contracts));
    auto entry = entries.begin();
    for (const Contract& contract : contracts) {
      Variant& variant = by_name[contract.name] = {contract, group.compiled, {}};
      set_reference(source, group, variant.contract);
      for (LaunchStep& step : variant.contract.launches) {
        const std::optional<Entry>& found = *entry++;
        if (!found) {
          errors.push_back(is_from_ptx ? missing_entry(source, contract, step)
                                       : not_global(source, step));
          continue;
        }
        if (step.kernel.empty()) step.kernel = without_signature(demangle(found->name));
        for (Diagnostic& error : check_parameters(contract, step, *found)) {
          errors.push_back(source.with_excerpt(std::move(error)));
        }
        for (Expression& condition : parameter_conditions(step, *found)) {
          variant.contract.imply(std::move(condition));
        }
        variant.entries.push_back(*found);
      }
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
  std::vector<Variant> variants;
  for (const Contract& contract : source.contracts) {
    variants.push_back(std::move(by_name.at(contract.name)));
  }
  return variants;
}

}  // namespace warpcheck::contract

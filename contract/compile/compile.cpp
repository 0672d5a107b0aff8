#include "contract/compile/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/files.hpp"
#include "base/text/visible_text.hpp"
#include "contract/compile/instantiation.hpp"
#include "contract/compile/parameter_check.hpp"
#include "contract/source/device_code.hpp"
#include "ptx/file_names.hpp"

namespace warpcheck::contract {
namespace {

std::vector<Contract> contracts_for(const KernelSource& source, const std::string& architecture) {
  std::vector<Contract> contracts;
  for (const Contract& contract : source.contracts) {
    if (contract.architecture == architecture) contracts.push_back(contract);
  }
  return contracts;
}

std::vector<LaunchStep> steps_of(const std::vector<Contract>& contracts) {
  std::vector<LaunchStep> steps;
  for (const Contract& contract : contracts) {
    steps.insert(steps.end(), contract.launches.begin(), contract.launches.end());
  }
  return steps;
}

std::vector<std::string> architectures_of(const KernelSource& source) {
  std::vector<std::string> architectures;
  for (const Contract& contract : source.contracts) {
    const std::string& wanted = contract.architecture;
    if (std::find(architectures.begin(), architectures.end(), wanted) == architectures.end()) {
      architectures.push_back(wanted);
    }
  }
  return architectures;
}

/// "x.cu, which has naive, tiled". Lists kernels of the .cu itself, not of the files that it
/// includes.
std::string kernels_in(const KernelSource& source) {
  std::string file = std::filesystem::path(source.file).filename().string();
  const std::vector<std::string> names = kernel_names(source.text);
  if (names.empty()) return file;
  return fmt::format("{}, which has {}", file, fmt::join(names, ", "));
}

Diagnostic missing_kernel(const KernelSource& source, const LaunchStep& step,
                          const std::string& message) {
  // An error about pick(): the name is declared, but it is not the name of a single function.
  if (message.find("warpcheck_kernels::") != std::string::npos) {
    return source.with_excerpt(
        {step.kernel_where,
         fmt::format("'{0}' is not one kernel with {1} parameters: of several, select one by its "
                     "parameter types, as in {0}(float*, int)",
                     step.kernel, step.arguments.size()),
         {}});
  }
  return source.with_excerpt(
      {step.kernel_where,
       fmt::format("kernel '{}' is not in {}: {}", step.kernel, kernels_in(source), message),
       {}});
}

Diagnostic verbatim(const KernelSource& source, std::string output) {
  return {{source.file, 0, 0}, std::move(output), {}, true};
}

[[noreturn]] void throw_errors(const KernelSource& source, const std::vector<LaunchStep>& steps,
                               const std::string& architecture, const CompileCache& cache,
                               const Compilation& failed) {
  std::vector<Diagnostic> errors;
  const auto found = errors_of_uses(failed.output, failed.text_file, steps);
  // An error that the .cu also has alone is reported without the text around it.
  const bool wrong_uses =
      std::any_of(found.begin(), found.end(), [](const auto& error) { return error.has_value(); });
  std::string own_errors = wrong_uses ? "" : cache.errors_in(source.file, architecture);
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
                              const std::string& architecture, const CompileCache& cache,
                              Compilation compilation) {
  constexpr int kMostAttempts = 16;
  if (!missing_header(compilation.output)) return compilation;
  DeviceCode code(source.file, source.text);
  for (int i = 0; i < kMostAttempts && !compilation.succeeded; ++i) {
    if (!code.avoid(compilation.output)) break;
    compilation =
        cache.compile(instantiating_text(cache.stored(code.text()).string(), steps), architecture);
  }
  compilation.dependencies.emplace_back(source.file);
  return compilation;
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

}  // namespace

std::vector<CompiledGroup> compile(const KernelSource& source, const CompileCache& cache) {
  std::vector<CompiledGroup> groups;
  for (const std::string& architecture : architectures_of(source)) {
    const std::vector<LaunchStep> steps = steps_of(contracts_for(source, architecture));
    Compilation compilation = cache.compile(instantiating_text(source.file, steps), architecture);
    if (!compilation.succeeded) {
      compilation = without_host_code(source, steps, architecture, cache, std::move(compilation));
    }
    if (!compilation.succeeded) {
      throw_errors(source, steps, architecture, cache, compilation);
    }
    std::string ptx = with_exact_names(std::move(compilation.ptx), compilation.dependencies);
    groups.push_back({architecture,
                      std::make_shared<Compiled>(Compiled{
                          source.file, source.text, compilation.ptx_file.string(), std::move(ptx)}),
                      std::move(compilation.dependencies)});
  }
  return groups;
}

std::vector<Variant> variants_of(const KernelSource& source,
                                 const std::vector<CompiledGroup>& groups) {
  std::map<std::string, Variant> by_name;
  std::vector<Diagnostic> errors;
  for (const CompiledGroup& group : groups) {
    const std::vector<Contract> contracts = contracts_for(source, group.architecture);
    const auto entries = instantiated_entries(group.compiled->ptx, steps_of(contracts));
    auto entry = entries.begin();
    for (const Contract& contract : contracts) {
      Variant& variant = by_name[contract.name] = {contract, group.compiled, {}};
      for (const LaunchStep& step : contract.launches) {
        const std::optional<Entry>& found = *entry++;
        if (!found) {
          errors.push_back(
              source.with_excerpt({step.kernel_where,
                                   fmt::format("'{}' is not a __global__ function of {}",
                                               step.kernel, kernels_in(source)),
                                   {}}));
          continue;
        }
        for (Diagnostic& error : check_parameters(contract, step, *found)) {
          errors.push_back(source.with_excerpt(std::move(error)));
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

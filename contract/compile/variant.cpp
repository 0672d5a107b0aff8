#include "contract/compile/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "base/parallel_for.hpp"
#include "contract/compile/assembly.hpp"
#include "contract/compile/compile.hpp"
#include "contract/compile/prebuilt.hpp"
#include "contract/compile/ptx_source.hpp"
#include "contract/source_files.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

using Errors = std::vector<std::vector<Diagnostic>>;  // indexed by file number

/// Calls `work(i)` for each i below the number of files, on one thread per processor, and adds its
/// errors of input to those of the file. Does not call it for a file with errors. Throws an error
/// of the environment.
void for_each_source(Errors& errors, const std::function<void(std::size_t)>& work) {
  const auto work_without_errors = [&](std::size_t i) {
    if (errors[i].empty()) work(i);
  };
  const auto exceptions = parallel_try(errors.size(), 0, work_without_errors);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    try {
      if (exceptions[i]) std::rethrow_exception(exceptions[i]);
    } catch (const InputError& error) {
      errors[i] = error.diagnostics();
    }
  }
}

/// Reports variants that have the name of a variant in an earlier file.
void require_unique_names(const std::vector<KernelSource>& sources, Errors& errors) {
  std::map<std::string, Location> first;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const Contract& contract : sources[i].contracts) {
      const auto [known, is_new] = first.emplace(contract.name, contract.where);
      if (is_new) continue;
      errors[i].push_back(sources[i].with_excerpt(
          {contract.where,
           fmt::format("second variant with the name '{}', the first is at {}:{}", contract.name,
                       known->second.file, known->second.line),
           {}}));
    }
  }
}

/// ptxas checks the PTX of each architecture once.
std::vector<CompiledGroup> assembled_groups(std::vector<CompiledGroup> groups) {
  for (CompiledGroup& group : groups) group.compiled = assembled(std::move(group.compiled));
  return groups;
}

}  // namespace

const AssemblyError* Variant::refusal() const {
  if (!compiled) return nullptr;
  for (const AssemblyError& error : compiled->errors) {
    const bool concerns =
        error.entry.empty() || std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
          return entry.name == error.entry;
        });
    if (concerns) return &error;
  }
  return nullptr;
}

FoundVariants find_variants(const std::string& path, const CompileProgress& progress) {
  SourceFiles files = source_files(path);
  FoundVariants found;
  found.errors = std::move(files.errors);
  found.without_contract = std::move(files.without_contract);
  std::vector<KernelSource> sources(files.with_contract.size());
  Errors errors(sources.size());
  for_each_source(errors,
                  [&](std::size_t i) { sources[i] = read_kernel_source(files.with_contract[i]); });
  require_unique_names(sources, errors);
  std::vector<std::vector<Variant>> variants(sources.size());
  std::optional<CompileCache> cache;  // empty: there is no .cu file to compile
  for (std::size_t i = 0; i < sources.size() && !cache; ++i) {
    if (errors[i].empty() && !is_ptx(files.with_contract[i])) cache.emplace();
  }
  std::mutex mutex;
  std::size_t begun = 0;
  for_each_source(errors, [&](std::size_t i) {
    if (progress) {
      const std::lock_guard lock(mutex);
      progress(files.with_contract[i].string(), ++begun, sources.size());
    }
    auto groups = is_ptx(sources[i].file) ? read_ptx(sources[i]) : compile(sources[i], *cache);
    variants[i] = variants_of(sources[i], assembled_groups(std::move(groups)));
  });
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::move(variants[i].begin(), variants[i].end(), std::back_inserter(found.variants));
    if (errors[i].empty()) continue;
    found.errors.push_back({files.with_contract[i].string(), std::move(errors[i])});
  }
  return found;
}

std::vector<Variant> variants_at(const std::string& path) {
  FoundVariants found = find_variants(path);
  std::vector<Diagnostic> errors;
  for (const TargetError& error : found.errors) {
    errors.insert(errors.end(), error.diagnostics.begin(), error.diagnostics.end());
  }
  if (!errors.empty()) throw InputError(std::move(errors));
  return std::move(found.variants);
}

std::vector<Variant> builtin_variants() {
  return builtin_matching([](const std::string&) { return true; }).variants;
}

}  // namespace warpcheck::contract

#include "contract/compile/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "base/files.hpp"
#include "base/parallel_for.hpp"
#include "contract/compile/assembly.hpp"
#include "contract/compile/compile.hpp"
#include "contract/compile/prebuilt.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

/// Calls `work(i)` for each i below `count`, on two threads. An error of the environment is thrown
/// before errors of input, which are thrown together, in the order of i.
void for_each_source(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<Diagnostic> errors;
  for (const std::exception_ptr& exception : parallel_try(count, 2, work)) {
    try {
      if (exception) std::rethrow_exception(exception);
    } catch (const InputError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
}

/// The .cu itself, or all .cu with a contract below a folder.
std::vector<fs::path> source_files(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw file_error(path, "no such file or folder");
  if (!fs::is_directory(status)) {
    if (fs::path(path).extension() == ".cu") return {path};
    throw file_error(path, "expected a .cu file or a folder");
  }
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied)) {
    if (entry.path().extension() == ".cu" && has_contract(entry.path())) {
      files.push_back(entry.path());
    }
  }
  if (files.empty()) throw file_error(path, "no .cu file with a contract in this folder");
  std::sort(files.begin(), files.end());
  return files;
}

void require_unique_names(const std::vector<KernelSource>& sources) {
  std::map<std::string, Location> first;
  std::vector<Diagnostic> errors;
  for (const KernelSource& source : sources) {
    for (const Contract& contract : source.contracts) {
      const auto [known, is_new] = first.emplace(contract.name, contract.where);
      if (is_new) continue;
      errors.push_back(source.with_excerpt(
          {contract.where,
           fmt::format("second variant with the name '{}', the first is at {}:{}", contract.name,
                       known->second.file, known->second.line),
           {}}));
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
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

std::vector<Variant> variants_at(const std::string& path) {
  const std::vector<fs::path> files = source_files(path);
  std::vector<KernelSource> sources(files.size());
  for_each_source(files.size(), [&](std::size_t i) { sources[i] = read_kernel_source(files[i]); });
  require_unique_names(sources);
  const CompileCache cache;
  std::vector<std::vector<Variant>> found(files.size());
  for_each_source(files.size(), [&](std::size_t i) {
    found[i] = variants_of(sources[i], assembled_groups(compile(sources[i], cache)));
  });
  std::vector<Variant> variants;
  for (std::vector<Variant>& some : found) {
    std::move(some.begin(), some.end(), std::back_inserter(variants));
  }
  return variants;
}

std::vector<Variant> builtin_variants() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path above = program.parent_path().parent_path();
  for (const fs::path& folder : {above / "share/warpcheck/kernels", above / "kernels"}) {
    if (!fs::is_directory(folder, error)) continue;
    std::vector<Variant> variants = read_prebuilt(folder);
    if (!variants.empty()) return variants;
  }
  throw EnvironmentError(
      fmt::format("no built-in variants next to {}: the build compiles them if it finds nvcc",
                  program.string()));
}

}  // namespace warpcheck::contract

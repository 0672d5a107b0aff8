#include "contract/compile/prebuilt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/files.hpp"
#include "contract/build/build_options.hpp"
#include "contract/read/toml_text.hpp"
#include "ptx/file_names.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

std::string beside(const fs::path& manifest, const std::string& file) {
  return (manifest.parent_path() / file).string();  // an absolute `file` is unchanged
}

/// The PTX with absolute paths in its `.file` directives.
std::string with_absolute_files(const std::string& ptx, const fs::path& manifest) {
  return ptx::with_file_names(ptx, [&](const std::string& file) { return beside(manifest, file); });
}

std::vector<Variant> read_variants(const fs::path& file, const toml::table& manifest) {
  const auto copy = [&](std::string_view extension) {
    return fs::path(file).replace_extension(extension);
  };
  const KernelSource source = kernel_source(
      beside(file, manifest["source"].value_or(std::string())), read_input(copy(".cu")),
      beside(file, manifest["contract"].value_or(std::string())), read_file(copy(".toml")));
  const auto builds = builds_of(source);
  std::vector<CompiledGroup> groups;
  if (const toml::array* compiled = manifest["compiled"].as_array()) {
    for (const toml::node& node : *compiled) {
      const toml::node_view<const toml::node> entry(node);
      if (groups.size() == builds.size()) {
        throw file_error(file.string(), fmt::format("more than {} builds", builds.size()));
      }
      const fs::path ptx_file = file.parent_path() / entry["ptx"].value_or(std::string());
      auto prebuilt =
          std::make_shared<Compiled>(Compiled{source.file, source.text, ptx_file.string(),
                                              with_absolute_files(read_input(ptx_file), file)});
      prebuilt->prebuilt = true;
      groups.push_back({builds[groups.size()], std::move(prebuilt), {}});
    }
  }
  return variants_of(source, groups);
}

std::vector<std::string> names_in(const toml::table& manifest) {
  std::vector<std::string> names;
  if (const toml::array* listed = manifest["variants"].as_array()) {
    for (const toml::node& name : *listed) names.push_back(name.value_or(std::string()));
  }
  return names;
}

std::string name_of(const Variant& variant) { return variant.contract.name; }

/// Adds what one manifest has.
void add_manifest(const fs::path& file, const NameFilter& accepts, PrebuiltVariants& all) {
  const std::string text = read_input(file);
  const toml::table manifest = TomlText(text, {file.string(), 1, 1}).parse();
  const std::vector<std::string> names = names_in(manifest);
  all.names.insert(all.names.end(), names.begin(), names.end());
  if (!names.empty() && std::none_of(names.begin(), names.end(), accepts)) return;
  for (Variant& variant : read_variants(file, manifest)) {
    if (names.empty()) all.names.push_back(name_of(variant));
    if (accepts(name_of(variant))) all.variants.push_back(std::move(variant));
  }
}

}  // namespace

void write_prebuilt(const KernelSource& source, const std::vector<CompiledGroup>& groups,
                    const fs::path& folder) {
  const fs::path stem = folder / fs::path(source.file).stem();
  const auto beside = [&](const std::string& extension) { return fs::path(stem) += extension; };
  write_file(beside(".cu"), source.text);
  const fs::path sidecar = beside(".toml");
  std::error_code ignored;
  fs::remove(sidecar, ignored);
  if (source.contract_file != source.file) write_file(sidecar, source.contract_text);
  toml::array compiled;
  for (const CompiledGroup& group : groups) {
    const std::string& architecture = group.build.front();
    std::string extension = architecture.empty() ? ".ptx" : "." + architecture + ".ptx";
    if (group.build.size() > 1) extension = fmt::format(".{}{}", compiled.size() + 1, extension);
    write_file(beside(extension), group.compiled->ptx);
    compiled.push_back(toml::table{{"architecture", architecture},
                                   {"ptx", beside(extension).filename().string()}});
  }
  toml::array names;
  for (const Contract& contract : source.contracts) names.push_back(contract.name);
  const toml::table manifest{{"source", source.file},
                             {"contract", sidecar_of(source.file).string()},
                             {"variants", std::move(names)},
                             {"compiled", std::move(compiled)}};
  std::ostringstream text;
  text << manifest << '\n';
  write_file(beside(".manifest"), text.str());
}

PrebuiltVariants read_prebuilt(const fs::path& folder, const NameFilter& accepts) {
  PrebuiltVariants found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".manifest") add_manifest(entry.path(), accepts, found);
  }
  std::sort(found.names.begin(), found.names.end());
  std::sort(found.variants.begin(), found.variants.end(),
            [](const Variant& x, const Variant& y) { return name_of(x) < name_of(y); });
  return found;
}

std::vector<Variant> read_prebuilt(const fs::path& folder) {
  return read_prebuilt(folder, [](const std::string&) { return true; }).variants;
}

PrebuiltVariants builtin_matching(const NameFilter& accepts) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path above = program.parent_path().parent_path();
  for (const fs::path& folder : {above / "share/warpcheck/kernels", above / "kernels"}) {
    if (!fs::is_directory(folder, error)) continue;
    PrebuiltVariants found = read_prebuilt(folder, accepts);
    if (!found.names.empty()) return found;
  }
  throw EnvironmentError(fmt::format(
      "no built-in variants next to {}: the build compiles them if it finds nvcc, and a "
      "wheel has none",
      program.string()));
}

}  // namespace warpcheck::contract

// Variants that the build compiles. A folder holds, for each .cu, copies of it and its contract,
// its PTX, and a manifest with their original paths.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "contract/compile/compile.hpp"

namespace warpcheck::contract {

/// Writes name.cu, name.toml, name.<architecture>.ptx and name.manifest into `folder`.
void write_prebuilt(const KernelSource& source, const std::vector<CompiledGroup>& groups,
                    const std::filesystem::path& folder);

using NameFilter = std::function<bool(const std::string&)>;

struct PrebuiltVariants {
  std::vector<std::string> names;  // names of all variants, in ascending order
  std::vector<Variant> variants;   // variants that the filter accepts, in the same order
};

/// The variants of the manifests below `folder`. Reads the sources and the PTX of accepted variants
/// only. Places in contracts and PTX name the original files. Relative paths in manifests and PTX,
/// as in an installed warpcheck, are relative to the manifest. Throws InputError if a manifest and
/// its files do not agree.
[[nodiscard]] PrebuiltVariants read_prebuilt(const std::filesystem::path& folder,
                                             const NameFilter& accepts);

/// The same for every variant.
[[nodiscard]] std::vector<Variant> read_prebuilt(const std::filesystem::path& folder);

/// The built-in variants: see builtin_variants().
[[nodiscard]] PrebuiltVariants builtin_matching(const NameFilter& accepts);

}  // namespace warpcheck::contract

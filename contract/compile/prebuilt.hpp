// Variants that were compiled by the build: a folder with, for each .cu, copies of it and its
// contract, its PTX, and a manifest that says where they came from.
#pragma once

#include <filesystem>
#include <vector>

#include "contract/compile/compile.hpp"

namespace warpcheck::contract {

/// Writes name.cu, name.toml, name.<architecture>.ptx and name.manifest into `folder`.
void write_prebuilt(const KernelSource& source, const std::vector<CompiledGroup>& groups,
                    const std::filesystem::path& folder);

/// Every variant of every manifest below `folder`, in the order of their names. Places in contracts
/// and PTX name the original files; where manifest and PTX have relative paths, as those of an
/// installed warpcheck do, they are files beside the manifest. Throws InputError where a manifest
/// and its files do not agree.
[[nodiscard]] std::vector<Variant> read_prebuilt(const std::filesystem::path& folder);

}  // namespace warpcheck::contract

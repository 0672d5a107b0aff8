// Variants that the build compiles. A folder holds, for each .cu, copies of it and its contract,
// its PTX, and a manifest with their original paths.
#pragma once

#include <filesystem>
#include <vector>

#include "contract/compile/compile.hpp"

namespace warpcheck::contract {

/// Writes name.cu, name.toml, name.<architecture>.ptx and name.manifest into `folder`.
void write_prebuilt(const KernelSource& source, const std::vector<CompiledGroup>& groups,
                    const std::filesystem::path& folder);

/// Every variant of every manifest below `folder`, in the order of their names. Places in contracts
/// and PTX name the original files. Relative paths in manifests and PTX, as in an installed
/// warpcheck, are relative to the manifest. Throws InputError if a manifest and its files do not
/// agree.
[[nodiscard]] std::vector<Variant> read_prebuilt(const std::filesystem::path& folder);

}  // namespace warpcheck::contract

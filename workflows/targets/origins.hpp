// The paths at which variants that are not built in were last checked, so that a case line alone is
// enough to replay them. The file `origins` in the cache folder holds one line
// "variant<TAB>absolute path" for each variant. Without it, `replay --in PATH` gives the same
// result.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "workflows/targets/targets.hpp"

namespace warpcheck::workflows::targets {

/// Stores the path of every target that has one. Does nothing if the cache folder is not writable.
void remember_origins(std::span<const Target> targets);

/// The path at which a variant of this name was last checked; empty if that path no longer exists.
[[nodiscard]] std::optional<std::filesystem::path> origin_of(const std::string& variant);

}  // namespace warpcheck::workflows::targets

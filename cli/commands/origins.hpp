// Where variants that are not built in were last checked from, so that a case line alone is enough
// to replay them. A memory of convenience in the cache folder, `origins`, a line
// "variant<TAB>absolute path" each. Losing it loses nothing that `replay --in PATH` does not say.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "cli/commands/targets.hpp"

namespace warpcheck::cli {

/// Notes the path of every target that has one. Says nothing where the cache folder cannot be
/// written.
void remember_origins(std::span<const Target> targets);

/// The path under which a variant of this name was last checked, where that path still exists.
[[nodiscard]] std::optional<std::filesystem::path> origin_of(const std::string& variant);

}  // namespace warpcheck::cli

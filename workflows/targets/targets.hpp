// The variants that a user names: files, folders, and globs over the built-in variants.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::workflows::targets {

struct Target {
  contract::Variant variant;
  std::string path;  // the .cu file or folder that holds it; empty: built in
};

/// Resolves each target: an existing file or folder stands for its variants, any other text is a
/// glob over the names of the built-in variants. Without targets: all built-in variants. Throws
/// InputError if a target matches nothing or two different variants have one name, and the errors
/// of contract::variants_at().
[[nodiscard]] std::vector<Target> resolve_targets(std::span<const std::string> targets);

/// The variants of the targets, in the same order.
[[nodiscard]] std::vector<contract::Variant> variants_of(std::span<const Target> targets);

}  // namespace warpcheck::workflows::targets

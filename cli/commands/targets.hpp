// From what the user named to the variants it stands for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::cli {

struct Target {
  contract::Variant variant;
  std::string path;  // the .cu file or folder that it was found under; empty: built in
};

/// A target is a file or a folder where there is one, else a glob over the names of the built-in
/// variants. No target: all built-in variants. Throws InputError where a target stands for nothing,
/// or two targets for different variants of one name; EnvironmentError as variants_at().
[[nodiscard]] std::vector<Target> resolve_targets(std::span<const std::string> targets);

}  // namespace warpcheck::cli

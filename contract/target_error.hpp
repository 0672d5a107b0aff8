// Errors of one target among several.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::contract {

/// A file, or another target of a command, that is not checked because its source, its contract or
/// its domain is wrong.
struct TargetError {
  std::string target;  // a path as the command names it, or a variant
  std::vector<Diagnostic> diagnostics;
};

}  // namespace warpcheck::contract

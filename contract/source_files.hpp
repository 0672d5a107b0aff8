// The .cu files of a file or folder that a user names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contract/target_error.hpp"

namespace warpcheck::contract {

struct SourceFiles {
  std::vector<std::filesystem::path> with_contract;  // sorted
  std::vector<std::string> without_contract;         // sorted
  std::vector<TargetError> errors;
};

/// A .cu itself, which then counts as one with a contract, or every .cu below a folder. Errors are
/// a path that does not exist or is neither; a .cu or a folder that cannot be read; a sidecar
/// without its .cu; and a folder without any .cu that has a contract.
[[nodiscard]] SourceFiles source_files(const std::string& path);

}  // namespace warpcheck::contract

// The .cu and .ptx files of a file or folder that a user names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contract/target_error.hpp"

namespace warpcheck::contract {

struct SourceFiles {
  std::vector<std::filesystem::path> with_contract;  // sorted
  std::vector<std::string> without_contract;         // .cu, sorted
  std::vector<TargetError> errors;
};

/// A source itself, which then counts as one with a contract, or every source below a folder. A
/// .ptx of a folder is one only if it has a contract and there is no .cu of its name, from which it
/// may be made. Errors are a path that does not exist or is neither; a source or a folder that
/// cannot be read; a sidecar without its source; and a folder without any source that has a
/// contract.
[[nodiscard]] SourceFiles source_files(const std::string& path);

}  // namespace warpcheck::contract

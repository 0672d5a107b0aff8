// A source, and the files next to it that it includes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck::workflows::reproducer {

/// The files relative to a folder that contains all of them, the source first.
struct SourceFiles {
  std::filesystem::path folder;
  std::vector<std::string> names;
};

/// The files of `#include "..."` that exist relative to the file that includes them, recursively.
[[nodiscard]] SourceFiles source_files(const std::filesystem::path& source);

}  // namespace warpcheck::workflows::reproducer

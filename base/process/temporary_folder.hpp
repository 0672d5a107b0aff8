// A folder for temporary files.
#pragma once

#include <filesystem>

namespace warpcheck {

/// A new, empty, private folder below $TMPDIR. The destructor removes it with its content.
class TemporaryFolder {
 public:
  /// Throws EnvironmentError.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpcheck

// A folder for the files of a test, because several tests run at once.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace warpcheck {

/// The folder of this process, with a slash at its end. It is removed when the process ends.
inline const std::string& own_folder() {
  struct Folder {
    std::string path = testing::TempDir() + "warpcheck-library-XXXXXX";
    Folder() {
      if (mkdtemp(path.data()) == nullptr) std::abort();
      path += '/';
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace warpcheck

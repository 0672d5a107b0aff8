#include "base/process/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "base/diagnostic.hpp"

namespace warpcheck {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path above = std::filesystem::temp_directory_path(error);
  if (error)
    throw EnvironmentError("TMPDIR is not a folder for temporary files: " + error.message());
  std::string name = (above / "warpcheck-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw EnvironmentError(
        fmt::format("cannot create the temporary folder {}: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpcheck

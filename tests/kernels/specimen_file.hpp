// The files of specimens.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace warpcheck {

/// Returns the file of a specimen. Its folder is named after the kind of defect; the file may hold
/// several specimens, and then has the beginning of their names.
inline std::string specimen_file(const std::string& specimen) {
  namespace fs = std::filesystem;
  for (std::string name = specimen; !name.empty(); name.resize(name.rfind('_'))) {
    for (const auto& kind : fs::directory_iterator(WARPCHECK_SOURCE_DIR "/kernels/specimens")) {
      const fs::path file = kind.path() / (name + ".cu");
      if (fs::exists(file)) return file.string();
    }
    if (name.rfind('_') == std::string::npos) break;
  }
  throw std::runtime_error("no specimen " + specimen);
}

}  // namespace warpcheck

// PTX by content: what was compiled once from the same texts by the same compiler is not compiled
// again.
//
// Two files serve an entry. <key>.dependencies, where the key is the hash of the text to compile,
// the flags and the compiler's version, lists the files that this text included when it was last
// compiled. <key>.ptx, where the key is the hash of all that and the contents of those files, is
// the PTX.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck::contract {

struct Compilation {
  bool succeeded = false;
  std::string output;  // of nvcc, where it failed
  std::string ptx;
  std::filesystem::path ptx_file;
  std::filesystem::path text_file;                  // the text that nvcc compiled
  std::vector<std::filesystem::path> dependencies;  // included, without the compiler's own headers
};

/// $XDG_CACHE_HOME/warpcheck, or ~/.cache/warpcheck, or a folder for temporary files.
[[nodiscard]] std::filesystem::path cache_folder();

/// Safe to use from several threads and processes at once.
class CompileCache {
 public:
  /// Throws EnvironmentError where there is no nvcc.
  explicit CompileCache(std::filesystem::path folder = cache_folder());

  /// Throws EnvironmentError where the cache cannot be written.
  [[nodiscard]] Compilation compile(const std::string& text, const std::string& architecture) const;

  /// What nvcc says of a file as it stands; empty if it compiles. Not cached.
  [[nodiscard]] std::string errors_in(const std::filesystem::path& source,
                                      const std::string& architecture) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path nvcc_;
  std::string version_;
};

}  // namespace warpcheck::contract

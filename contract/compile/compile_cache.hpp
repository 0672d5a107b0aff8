// A cache of PTX and of libraries by content: the same texts are compiled once by each version of
// nvcc.
//
// Each file has a checksum: a damaged entry is compiled again. An entry has two files.
// <key>.dependencies, whose key is the hash of the text to compile, the flags and the version of
// the compiler, lists the files that this text included at the last compilation. <key>.ptx, or .so,
// whose key is the hash of all that and the contents of those files, is the result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/cache_folder.hpp"
#include "contract/compile/nvcc.hpp"
#include "contract/compile/nvrtc/nvrtc.hpp"

namespace warpcheck::contract {

struct Compilation {
  bool succeeded = false;
  std::string output;               // output of nvcc, if it failed or redefined a macro
  std::string ptx;                  // empty for a library
  std::filesystem::path ptx_file;   // file of the PTX or of the library
  std::filesystem::path text_file;  // the text that nvcc compiled
  std::vector<std::filesystem::path> dependencies;  // files included, without headers of nvcc
  std::string redefined;  // a macro of the flags, which the source defines with another value
};

/// Several threads and processes can use one folder at the same time.
class CompileCache {
 public:
  /// Reads the entries of a folder that it cannot write, and writes new entries to
  /// temporary_cache_folder(). Throws EnvironmentError if neither folder can be written, or if
  /// there is no nvcc.
  explicit CompileCache(std::filesystem::path folder = cache_folder());

  /// `added` are further flags. `source` is that of the .cu that the text includes, for NVRTC; if
  /// it is empty, nvcc compiles. Throws EnvironmentError if the cache cannot be written.
  [[nodiscard]] Compilation compile(const std::string& text, const std::string& architecture,
                                    const std::vector<std::string>& added = {},
                                    std::string_view source = {},
                                    Product product = Product::ptx) const;

  /// The errors of nvcc for a file alone; empty if it compiles. Not cached.
  [[nodiscard]] std::string errors_in(const std::filesystem::path& source,
                                      const std::string& architecture,
                                      const std::vector<std::string>& added = {}) const;

  /// Stores a text and returns its file, whose name depends on the text.
  [[nodiscard]] std::filesystem::path stored(const std::string& text) const;

  /// Stores a header that an #include names as <warpcheck/NAME>. Returns the folder of `warpcheck`.
  [[nodiscard]] std::filesystem::path stored_header(std::string_view name,
                                                    std::string_view text) const;

 private:
  [[nodiscard]] static std::optional<Compilation> known(const std::filesystem::path& folder,
                                                        const std::string& first_key,
                                                        Product product);
  [[nodiscard]] Compilation compile_by_nvcc(const std::string& first_key,
                                            const std::vector<std::string>& flags,
                                            const std::vector<std::string>& added,
                                            Product product) const;

  std::filesystem::path folder_;
  std::filesystem::path read_only_;  // another folder with entries; empty: none
  std::filesystem::path nvcc_;
  std::string version_;
  Nvrtc nvrtc_;
};

/// The compiler of PTX in the cache: "NVRTC", or "nvcc: " with the reason why it was not NVRTC;
/// empty if the cache does not have it.
[[nodiscard]] std::string compiler_of(const std::filesystem::path& ptx_file);

}  // namespace warpcheck::contract

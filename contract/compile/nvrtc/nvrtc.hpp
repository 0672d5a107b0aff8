// Compiles a source by NVRTC, which needs a seventh of the time of nvcc, if the PTX is that of
// nvcc.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::contract {

struct NvrtcRun {
  std::string ptx;     // empty: nvcc has to compile the source
  std::string reason;  // the reason why nvcc has to; empty with PTX
  // The included files, without the headers of the compiler.
  std::vector<std::filesystem::path> dependencies;
};

/// NVRTC of the toolkit of an nvcc.
class Nvrtc {
 public:
  /// `nvcc_version`: the output of `nvcc --version`. There is no NVRTC if the toolkit has no
  /// libnvrtc.so, this program has no warpcheck-nvrtc beside it, or WARPCHECK_NVRTC is "off".
  /// `library` replaces the toolkit's.
  Nvrtc(const std::filesystem::path& nvcc, std::string nvcc_version,
        const std::filesystem::path& library = {});

  /// The path of the library; empty: there is none.
  [[nodiscard]] const std::filesystem::path& library() const { return library_; }

  /// Compiles the file `text_file`, which includes a .cu with the text `source`, with flags of
  /// nvcc.
  [[nodiscard]] NvrtcRun compile(const std::filesystem::path& text_file, std::string_view source,
                                 const std::vector<std::string>& flags) const;

 private:
  std::filesystem::path toolkit_;
  std::filesystem::path library_;
  std::filesystem::path helper_;
  std::string nvcc_version_;
};

}  // namespace warpcheck::contract

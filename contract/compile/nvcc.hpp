// The CUDA compiler: where it is, and one run of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck::contract {

/// Looked for in this order: $WARPCHECK_NVCC; PATH; bin/ of $CUDA_HOME and $CUDA_PATH;
/// /usr/local/cuda*/bin, the newest first; what scripts/fetch-nvcc fetched into
/// $XDG_DATA_HOME/warpcheck/cuda (~/.local/share); the nvcc that the build was configured with.
/// Throws EnvironmentError that says how to get one.
[[nodiscard]] std::filesystem::path find_nvcc();

/// What `nvcc --version` prints.
[[nodiscard]] std::string nvcc_version(const std::filesystem::path& nvcc);

/// The flags that a source is compiled to PTX with, $WARPCHECK_NVCC_FLAGS (separated by blanks)
/// last. An empty architecture is the default one, sm_80.
[[nodiscard]] std::vector<std::string> nvcc_flags(const std::string& architecture);

struct NvccRun {
  bool succeeded = false;
  std::string output;  // warnings and errors, as nvcc wrote them
  /// Every file read, absolute, without the compiler's own headers.
  std::vector<std::filesystem::path> dependencies;
};

/// Compiles `source` to PTX in `ptx_file`, which need not exist and is written in place.
[[nodiscard]] NvccRun run_nvcc(const std::filesystem::path& nvcc,
                               const std::vector<std::string>& flags,
                               const std::filesystem::path& source,
                               const std::filesystem::path& ptx_file);

}  // namespace warpcheck::contract

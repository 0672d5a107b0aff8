// Finds and runs the CUDA compiler.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck::contract {

/// Searches in this order: $WARPCHECK_NVCC; PATH; bin/ of $CUDA_HOME and $CUDA_PATH;
/// /usr/local/cuda*/bin, the newest first; $XDG_DATA_HOME/warpcheck/cuda (~/.local/share), where
/// scripts/fetch-nvcc installs; the nvcc of the build's configuration. Throws EnvironmentError
/// whose message names the ways to install one.
[[nodiscard]] std::filesystem::path find_nvcc();

/// The output of `nvcc --version`.
[[nodiscard]] std::string nvcc_version(const std::filesystem::path& nvcc);

/// PTX, or a shared library of the host code, with PTX for what it registers.
enum class Product { ptx, library };

/// The flags for compiling a source: warpcheck's own, `added`, and $WARPCHECK_NVCC_FLAGS, separated
/// by blanks. An empty architecture is the default, sm_80.
[[nodiscard]] std::vector<std::string> nvcc_flags(const std::string& architecture,
                                                  const std::vector<std::string>& added = {},
                                                  Product product = Product::ptx);

struct NvccRun {
  bool succeeded = false;
  std::string output;  // warnings and errors, as nvcc wrote them
  /// Absolute paths of all files that were read, except the compiler's own headers.
  std::vector<std::filesystem::path> dependencies;
};

/// Compiles `source`. Overwrites `product_file`. Waits while as many of these calls compile as
/// the machine has processors.
[[nodiscard]] NvccRun run_nvcc(const std::filesystem::path& nvcc,
                               const std::vector<std::string>& flags,
                               const std::filesystem::path& source,
                               const std::filesystem::path& product_file,
                               Product product = Product::ptx);

}  // namespace warpcheck::contract

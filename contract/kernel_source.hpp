// A .cu with its contracts, read and checked but not compiled.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.hpp"

namespace warpcheck::contract {

struct KernelSource {
  std::string file;  // absolute
  std::string text;
  std::string contract_file;  // the sidecar, or the .cu again
  std::string contract_text;  // of that whole file: what the contracts' places point into
  std::vector<Contract> contracts;

  /// Adds the excerpt that the place of an error in the contract points to.
  [[nodiscard]] Diagnostic with_excerpt(Diagnostic diagnostic) const;
};

/// `name.toml` beside `name.cu`.
[[nodiscard]] std::filesystem::path sidecar_of(const std::filesystem::path& source_file);

/// Parses the contract: that of the sidecar, or else that within the source. Throws InputError
/// where there is none, or one in each, or one that is wrong.
[[nodiscard]] KernelSource kernel_source(std::string file, std::string text,
                                         std::string contract_file,
                                         std::optional<std::string> sidecar_text);

/// The same, read from the disk.
[[nodiscard]] KernelSource read_kernel_source(const std::filesystem::path& file);

/// Whether a .cu has a contract at all, right or wrong.
[[nodiscard]] bool has_contract(const std::filesystem::path& file);

}  // namespace warpcheck::contract

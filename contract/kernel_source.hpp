// A .cu or .ptx file with its contracts, which are read and checked but not compiled.
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
  std::string contract_text;  // whole text of contract_file; contracts refer to its lines
  std::vector<Contract> contracts;

  /// Adds the excerpt at the place of an error in the contract.
  [[nodiscard]] Diagnostic with_excerpt(Diagnostic diagnostic) const;
};

/// True for the name of a .ptx file, which is already compiled. Any other source is a .cu.
[[nodiscard]] bool is_ptx(const std::filesystem::path& file);

/// True for the name of a .cu or .ptx file.
[[nodiscard]] bool is_source(const std::filesystem::path& file);

/// `name.toml` beside `name.cu` or `name.ptx`.
[[nodiscard]] std::filesystem::path sidecar_of(const std::filesystem::path& source_file);

/// Parses the contract of the sidecar or, without a sidecar, that in the source. Throws InputError
/// if there is none, one in each, or a wrong one.
[[nodiscard]] KernelSource kernel_source(std::string file, std::string text,
                                         std::string contract_file,
                                         std::optional<std::string> sidecar_text);

/// A PTX text with its contract, of which no file exists.
[[nodiscard]] KernelSource ptx_kernel_source(std::string file, std::string ptx,
                                             std::string contract);

/// The same, with the texts read from files.
[[nodiscard]] KernelSource read_kernel_source(const std::filesystem::path& file);

/// True if a source has a contract, which may be wrong.
[[nodiscard]] bool has_contract(const std::filesystem::path& file);

}  // namespace warpcheck::contract

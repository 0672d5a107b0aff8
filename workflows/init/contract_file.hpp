// Writes a guessed contract next to the kernel or into its file.
#pragma once

#include <filesystem>
#include <string>

namespace warpcheck::workflows::init {

/// Throws InputError if the .cu already has a contract: in a .toml, or in a comment.
void require_no_contract(const std::filesystem::path& source_file);

/// Writes FILE.toml and returns its path.
std::string write_contract(const std::filesystem::path& source_file, const std::string& toml);

/// Writes the contract into a comment at the top of the .cu, in place of an existing one. Returns
/// the path of the .cu.
std::string embed_contract(const std::filesystem::path& source_file, const std::string& toml);

}  // namespace warpcheck::workflows::init

// The file of a program, and the CUDA runtime that it uses.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpcheck::workflows::exec {

/// The file that a command runs: on PATH, if its name has no slash. Throws InputError if there is
/// none that can be executed.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// Throws InputError if the bytes of an ELF file show that it needs a shared CUDA runtime other
/// than `runtime`, such as libcudart.so.13. Files that are not ELF, such as scripts, and programs
/// without CUDA code are accepted.
void require_same_toolkit(std::string_view elf, const std::string& program,
                          const std::string& runtime);

}  // namespace warpcheck::workflows::exec

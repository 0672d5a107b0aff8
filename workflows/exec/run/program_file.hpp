// The file of a program, and the CUDA runtime that it uses.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpcheck::workflows::exec {

/// The file that a command runs: on PATH, if its name has no slash. Throws InputError if there is
/// none that can be executed.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// Throws InputError, with the option of nvcc to add, if the bytes of an ELF file show that its
/// CUDA runtime cannot be replaced: it is a shared one other than `runtime`, such as
/// libcudart.so.13, or a static one without symbols. Files that are not ELF, such as scripts, and
/// programs without CUDA code are accepted.
void require_replaceable_runtime(std::string_view elf, const std::string& program,
                                 const std::string& runtime);

}  // namespace warpcheck::workflows::exec

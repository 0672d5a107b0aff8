// A program that shows a failing case without warpcheck.
#pragma once

#include <filesystem>
#include <string>

#include "campaign/case/case.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::workflows::reproducer {

/// Writes reproduce.cu and the files of the kernel to the folder, and returns the command that
/// compiles and runs it. `fills_outputs`: see ProgramParts. Throws InputError for a kernel in PTX,
/// a property that compares several runs, and a launch that program_text() does not support.
[[nodiscard]] std::string write_reproducer(const contract::Variant& variant,
                                           const campaign::Case& problem, bool fills_outputs,
                                           const std::filesystem::path& folder);

}  // namespace warpcheck::workflows::reproducer

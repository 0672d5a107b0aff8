// Source files that the line tables of an object name (DWARF 5, section 6.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/fatbin/elf_file.hpp"

namespace warpcheck::workflows::exec {

/// The path of file 1 of the unit whose file 0, its primary source, has this path. addr2line of
/// binutils before 2.41 confuses the two: code for which the table selects no file is of file 1.
[[nodiscard]] std::optional<std::string> first_file_of_unit(const runtime::ElfFile& object,
                                                            std::string_view primary);

}  // namespace warpcheck::workflows::exec

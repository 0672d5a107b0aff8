// PTX texts for tests.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

/// Parses `text` after a header for sm_80 with 64-bit addresses.
[[nodiscard]] Module parse_with_header(std::string_view text);

/// The same for `body` as the body of a kernel `k(.param .u64 a, .param .u32 n)` with registers
/// %r0..%r9, %rd0..%rd9, %f0..%f9, %p0..%p9, after `before` in the module.
[[nodiscard]] Module parse_body(std::string_view body, std::string_view before = "");

/// The messages of the errors in `text` after the header, each with its place: "4:7: ...".
[[nodiscard]] std::vector<std::string> errors_of(std::string_view text);

/// The bytes of a file. The test fails if there is none.
[[nodiscard]] std::string read(const std::filesystem::path& file);

/// The files with this extension in a folder of the tests, ordered by name. The test fails if there
/// is none.
[[nodiscard]] std::vector<std::filesystem::path> files_in(std::string_view folder,
                                                          std::string_view extension);

}  // namespace warpcheck::ptx

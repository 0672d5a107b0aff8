// Texts from files, names and kernels as a terminal or a report may show them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

/// The length in bytes of the UTF-8 character (RFC 3629) with which `text` begins; 0 if the text is
/// empty or begins with a byte that is not UTF-8.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// True if every byte of the text belongs to a UTF-8 character.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Replaces each control character except the tab by one question mark, so that columns stay: a
/// terminal would execute it. These are C0, delete, C1, and the characters that change the
/// direction or the lines of a text in Unicode. With `lines`, line feeds stay too. A byte that is
/// not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string printable(std::string_view text, bool lines = false);

/// The same for names and messages, in UTF-8: writes "\x1b" for a control character and for a byte
/// that is not UTF-8, "\n" for a line feed and "\u202e" for a character of Unicode. With `lines`,
/// line feeds stay.
[[nodiscard]] std::string visible(std::string_view text, bool lines = false);

}  // namespace warpcheck

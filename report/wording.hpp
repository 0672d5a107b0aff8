// How numbers and texts of others are worded, whatever the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck::report {

/// "1 case", "2 cases".
[[nodiscard]] std::string counted(std::int64_t number, std::string_view thing);

/// Rounded down, so that "100 %" means all of it; "< 1 %" is more than nothing; "-": not
/// measured.
[[nodiscard]] std::string percent(std::optional<double> share);

/// What came out of a kernel or a source may hold anything; a terminal must not obey it. Control
/// characters but the tab become question marks; with `lines`, line feeds stay too.
[[nodiscard]] std::string printable(std::string_view text, bool lines = false);

/// Bytes that are no UTF-8 become U+FFFD, so that a format that is Unicode can hold the text.
[[nodiscard]] std::string utf8(std::string_view text);

}  // namespace warpcheck::report

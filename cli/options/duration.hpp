// "30s", "500ms", "2m", "1h": how the command line spells a time.
#pragma once

#include <optional>
#include <string_view>

namespace warpcheck::cli {

/// Seconds; a bare number counts seconds. Empty where the text is no time above zero.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

}  // namespace warpcheck::cli

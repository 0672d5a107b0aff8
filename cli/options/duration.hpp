// Durations on the command line: "30s", "500ms", "2m", "1h".
#pragma once

#include <optional>
#include <string_view>

namespace warpcheck::cli {

/// Returns seconds, which are also the default unit. Empty if the text is not a duration above
/// zero.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

}  // namespace warpcheck::cli

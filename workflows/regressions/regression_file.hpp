// The file of a variant's regressions.
#pragma once

#include <string>
#include <string_view>

#include "workflows/targets/targets.hpp"

namespace warpcheck::workflows::regressions {

inline constexpr std::string_view kExtension = ".cases";

/// The path of the file, as messages show it. `folder`: the same as in read_regressions().
[[nodiscard]] std::string regression_file(const targets::Target& target, const std::string& folder);

}  // namespace warpcheck::workflows::regressions

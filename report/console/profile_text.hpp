// A profile as tables for the console.
#pragma once

#include <cstddef>
#include <string>

#include "workflows/profile/profile.hpp"

namespace warpcheck::report {

/// Prints at most `lines` source lines; 0: all of them.
[[nodiscard]] std::string profile_text(const workflows::profile::Profile& profile,
                                       std::size_t lines);

}  // namespace warpcheck::report

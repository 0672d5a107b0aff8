// The "profile" event of the JSON output.
#pragma once

#include <string>

#include "workflows/profile/profile.hpp"

namespace warpcheck::report {

/// One line of JSON, without the line feed.
[[nodiscard]] std::string profile_json(const workflows::profile::Profile& profile);

}  // namespace warpcheck::report

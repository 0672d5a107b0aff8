// The message of a race that a device reports.
#pragma once

#include <string>

#include "device/finding.hpp"

namespace warpcheck::report {

/// "thread (1, 0, 0) reads 4-byte element 3 of tile, which thread (0, 0, 0) wrote at line 30: no
/// barrier between line 30 and line 32". The finding has Finding::race.
[[nodiscard]] std::string race_text(const Finding& finding);

}  // namespace warpcheck::report

// The first event of a command.
#pragma once

#include <string>

#include "report/run/run_info.hpp"

namespace warpcheck::report {

/// One line, without a line feed.
[[nodiscard]] std::string start_json(const RunInfo& run);

}  // namespace warpcheck::report

// The "proof" event of the JSON output.
#pragma once

#include <string>

#include "workflows/prove/prove.hpp"

namespace warpcheck::report {

/// One line of JSON, with the line feed.
[[nodiscard]] std::string proof_json(const workflows::prove::VariantResult& result);

}  // namespace warpcheck::report

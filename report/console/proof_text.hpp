// Console output of `prove`.
#pragma once

#include <string>

#include "workflows/prove/prove.hpp"

namespace warpcheck::report {

/// A line for each property, with the reason or the case below it.
[[nodiscard]] std::string proof_text(const workflows::prove::VariantResult& result);

}  // namespace warpcheck::report

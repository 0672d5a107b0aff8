// The error log of the driver's assembler as located diagnostics.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::device::cuda {

/// Reads lines of the form "ptxas application ptx input, line 7; error   : Unknown symbol 'x'". A
/// log without such a line becomes one diagnostic for the whole file.
[[nodiscard]] std::vector<Diagnostic> parse_jit_log(const std::string& log, const std::string& ptx,
                                                    const std::string& file);

}  // namespace warpcheck::device::cuda

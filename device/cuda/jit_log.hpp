// What the driver's assembler complains of, as located errors.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::device::cuda {

/// Reads lines of the form "ptxas application ptx input, line 7; error   : Unknown symbol 'x'". A
/// log without any such line becomes one diagnostic of the whole file.
[[nodiscard]] std::vector<Diagnostic> parse_jit_log(const std::string& log, const std::string& ptx,
                                                    const std::string& file);

}  // namespace warpcheck::device::cuda

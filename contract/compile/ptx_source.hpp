// Kernels of a .ptx file, which any compiler may have written: Triton, Numba, NVRTC, CuTe DSL.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/compile.hpp"
#include "contract/kernel_source.hpp"

namespace warpcheck::contract {

/// The PTX of a .ptx with its contracts. If the text has no `.loc`, the place of an instruction is
/// its line in the text. Throws InputError with the errors of the PTX, or with a located error for
/// each key of the contracts that only nvcc uses.
[[nodiscard]] std::vector<CompiledGroup> read_ptx(const KernelSource& source);

/// The PTX with a `.loc` before each instruction that names its own line of `file`; unchanged if it
/// has a `.loc`. The numbers of lines do not change. Throws InputError with the errors of the PTX.
[[nodiscard]] std::string with_own_lines(const std::string& ptx, const std::string& file);

/// The kernel that each launch names, by its name in the PTX or in C++. A launch without a name has
/// the only kernel of the text. Empty: there is no such kernel.
[[nodiscard]] std::vector<std::optional<Entry>> named_entries(std::string_view ptx,
                                                              std::span<const LaunchStep> steps);

/// The error of a launch for which named_entries() is empty.
[[nodiscard]] Diagnostic missing_entry(const KernelSource& source, const Contract& contract,
                                       const LaunchStep& step);

/// The source line of the first instruction of a kernel; line 0 if the PTX has none.
[[nodiscard]] Location first_line(const Compiled& compiled, std::string_view kernel);

}  // namespace warpcheck::contract

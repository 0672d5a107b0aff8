// Source places of the instructions whose coverage is measured.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/coverage.hpp"
#include "device/finding.hpp"

namespace warpcheck::device {
class Program;
struct ProgramFunction;
}  // namespace warpcheck::device

namespace warpcheck::campaign::coverage {

/// The source places of the measured instructions, by the number of the instruction.
using Places = std::map<std::uint32_t, SourcePlace>;

/// Returns the file without "." and "..": ".../specimens/../gemm/tile.cuh" is ".../gemm/tile.cuh".
[[nodiscard]] std::string normal_file(const std::string& file);

/// Returns the number of warps that started a kernel.
[[nodiscard]] std::uint64_t began(const device::ProgramFunction& function,
                                  const device::Coverage& covered);

[[nodiscard]] bool holds(const device::ProgramFunction& function, std::uint32_t instruction);

/// Returns the places of the launched kernels and of the functions that they call, without
/// instructions of headers of the CUDA Toolkit and those without a line.
[[nodiscard]] Places source_places(const device::Program& program,
                                   const std::vector<device::ProgramFunction>& functions,
                                   const device::Coverage& covered);

}  // namespace warpcheck::campaign::coverage

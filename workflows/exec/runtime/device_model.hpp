// The imaginary device that programs see.
#pragma once

#include <cstddef>
#include <optional>

#include "workflows/exec/runtime/cuda_api.hpp"

namespace warpcheck::workflows::exec {

inline constexpr unsigned kArchitecture = 90;  // compute capability 9.0

/// The limits of compute capability 9.0, as the virtual device checks them.
inline constexpr std::size_t kMostShared = 227 << 10;            // bytes of a block, opt-in
inline constexpr std::size_t kDefaultShared = 48 << 10;          // bytes of a block
inline constexpr std::size_t kMultiprocessorShared = 228 << 10;  // bytes
inline constexpr std::size_t kReservedShared = 1 << 10;          // bytes of a block
inline constexpr unsigned kMostThreads = 1024;                   // of a block
inline constexpr unsigned kMultiprocessorThreads = 2048;
inline constexpr unsigned kMultiprocessorBlocks = 32;
inline constexpr unsigned kRegisters = 65536;  // of a multiprocessor

/// Without totalGlobalMem.
[[nodiscard]] cudaDeviceProp device_properties(unsigned multiprocessors);

/// Returns cudaErrorInvalidValue for an attribute that is not known.
[[nodiscard]] cudaError_t device_attribute(unsigned multiprocessors, cudaDeviceAttr attribute,
                                           int& value);

/// A limit of cudaDeviceGetLimit(), as the program has set it; empty for one that is not known. The
/// runtime is locked.
[[nodiscard]] std::optional<std::size_t> device_limit(cudaLimit limit);
void set_device_limit(cudaLimit limit, std::size_t value);

/// Blocks that are resident on a multiprocessor together, as limited by threads and shared memory.
[[nodiscard]] int resident_blocks(int threads, std::size_t shared_bytes);

}  // namespace warpcheck::workflows::exec

// GPUs as programs and launches see them: the one table of their limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace warpcheck::device {

struct GpuModel {
  const char* name = "";  // "h100"
  int capability = 0;     // 90: compute capability 9.0
  unsigned multiprocessors = 0;
  // Limits by compute capability (CUDA C++ Programming Guide, "Compute Capabilities").
  std::size_t block_shared = 0;  // largest shared memory of a block, opt-in included, in bytes
  std::size_t shared = 0;        // of a multiprocessor, in bytes
  unsigned threads = 0;          // of a multiprocessor
  unsigned blocks = 0;           // of a multiprocessor
  // Programs read these; no launch depends on them.
  int l2_megabytes = 0;
  int bus_bits = 0;           // of the memory
  int clock_megahertz = 0;    // at most
  int memory_megahertz = 0;   // at most
  int single_per_double = 0;  // throughput of operations of float by that of double
};

/// Limits of every GPU.
inline constexpr unsigned kMostBlockThreads = 1024;
inline constexpr unsigned kMostBlockDepth = 64;  // threads along z
inline constexpr unsigned kMostGridWidth = 0x7fffffff;
inline constexpr unsigned kMostGridHeight = 65535;            // also along z
inline constexpr std::size_t kReservedBlockShared = 1 << 10;  // by the system for each block
inline constexpr std::size_t kDefaultBlockShared = 48 << 10;  // without the opt-in
inline constexpr unsigned kMultiprocessorRegisters = 65536;
inline constexpr unsigned kMostPortableCluster = 8;  // blocks
inline constexpr unsigned kMostCluster = 16;         // blocks, with the opt-in

/// Limits of a launch. `declared`: of the kernel itself, such as its launch bounds.
enum class LaunchLimit : std::uint8_t { none, extent, shared_memory, residents, cluster, declared };

/// Blocks that are resident on a multiprocessor together, as limited by threads and shared memory
/// in bytes. PTX does not state the registers of a thread, which may limit them further.
[[nodiscard]] unsigned resident_blocks(const GpuModel& gpu, std::uint64_t threads,
                                       std::size_t shared);

/// In ascending order of their capabilities; the first one of a capability is the largest.
[[nodiscard]] std::span<const GpuModel> gpu_models();

/// The model of a name; null: there is none.
[[nodiscard]] const GpuModel* gpu_model(std::string_view name);

/// The largest GPU of the architecture of PTX, "sm_80", or of the newest older one in the table.
[[nodiscard]] const GpuModel& largest_gpu(std::string_view target);

}  // namespace warpcheck::device

// The table of GPU models and their limits, which programs query and launches obey.
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
  std::size_t shared = 0;        // shared memory of a multiprocessor, in bytes
  unsigned threads = 0;          // largest number of resident threads of a multiprocessor
  unsigned blocks = 0;           // largest number of resident blocks of a multiprocessor
  // Programs can query the following fields; no launch depends on them.
  int l2_megabytes = 0;
  int bus_bits = 0;           // width of the memory bus
  int clock_megahertz = 0;    // highest clock rate
  int memory_megahertz = 0;   // highest memory clock rate
  int single_per_double = 0;  // ratio of float to double throughput
};

/// Limits of every GPU.
inline constexpr unsigned kMostBlockThreads = 1024;
inline constexpr unsigned kMostBlockDepth = 64;  // limit of threads along z
inline constexpr unsigned kMostGridWidth = 0x7fffffff;
inline constexpr unsigned kMostGridHeight = 65535;  // limit of blocks along y and along z
// Bytes that the system reserves in each block.
inline constexpr std::size_t kReservedBlockShared = 1 << 10;
inline constexpr std::size_t kDefaultBlockShared = 48 << 10;  // bytes available without the opt-in
inline constexpr unsigned kMultiprocessorRegisters = 65536;
inline constexpr unsigned kMostPortableCluster = 8;  // blocks per cluster without the opt-in
inline constexpr unsigned kMostCluster = 16;         // blocks per cluster with the opt-in

/// The launch limits that a launch can exceed. `declared`: a limit of the kernel itself, such as
/// its launch bounds.
enum class LaunchLimit : std::uint8_t { none, extent, shared_memory, residents, cluster, declared };

/// The number of blocks that threads and shared memory (in bytes) allow to be resident on a
/// multiprocessor together. PTX does not state the registers of a thread, which may limit it
/// further.
[[nodiscard]] unsigned resident_blocks(const GpuModel& gpu, std::uint64_t threads,
                                       std::size_t shared);

/// The models in ascending order of capability; the first one of a capability is the largest.
[[nodiscard]] std::span<const GpuModel> gpu_models();

/// The model of a name; null: there is none.
[[nodiscard]] const GpuModel* gpu_model(std::string_view name);

/// The largest GPU of the PTX target "sm_80"; if the table has none, the largest GPU of the newest
/// older architecture in the table.
[[nodiscard]] const GpuModel& largest_gpu(std::string_view target);

}  // namespace warpcheck::device

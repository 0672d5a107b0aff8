// A grid that the host launched, and the grids that its threads launch (CUDA C++ Programming Guide,
// "CUDA Dynamic Parallelism"). Their blocks have consecutive numbers in the order in which the
// grids run: each grid before those that it launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/finding.hpp"
#include "device/virtual/checks/vector_clock.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// The place of the element of this number in an extent, the first coordinate fastest.
[[nodiscard]] Dim3 place_in_extent(const Dim3& extent, std::uint64_t number);

/// Streams in which a thread launches, by their handles (CUDA Runtime API, driver_types.h). Others
/// are handles of streams that a thread created.
inline constexpr std::uint64_t kStreamOfBlock = 0;
inline constexpr std::uint64_t kStreamTailLaunch = 3;
inline constexpr std::uint64_t kStreamFireAndForget = 4;

/// The arguments of cudaGetParameterBufferV2().
struct GridRequest {
  const FunctionCode* kernel = nullptr;
  Dim3 extent;
  Dim3 block;
  std::size_t shared_bytes = 0;  // dynamic
};

/// The launch of a grid by a thread, or the record of an event in a stream, or a wait for it.
struct DeviceLaunch {
  enum class Kind : std::uint8_t { grid, record, wait };
  Kind kind = Kind::grid;
  std::uint64_t event = 0;  // of a record or a wait
  GridRequest grid = {};
  std::vector<std::byte> parameters;
  std::vector<std::byte> parameters_shadow;
  std::uint64_t stream = kStreamOfBlock;
  std::uint32_t by_block = 0;  // number of the block of the thread
  ThreadPlace by_thread;
  SourcePlace source;
  checks::VectorClock clock;  // the accesses that happen before the launch
};

struct Grid {
  const FunctionCode* kernel = nullptr;
  Dim3 extent;
  Dim3 block;
  std::uint32_t first_block = 0;           // number
  std::optional<std::size_t> parent = {};  // number of the grid whose thread launched it
  unsigned depth = 0;                      // launches between the host's grid and this one
  SourcePlace source = {};                 // of the launch by a thread
  ThreadPlace by_thread = {};
};

/// One host thread at a time runs grids whose threads launch others.
class GridFamily {
 public:
  /// `room`: for launches of a grid that have not begun.
  GridFamily(Grid first, std::size_t room) : room_(room) { grids_.push_back(std::move(first)); }

  /// Adds a grid that runs now. Returns its number.
  std::size_t add(Grid grid);
  [[nodiscard]] const std::vector<Grid>& grids() const { return grids_; }
  [[nodiscard]] const Grid& running() const { return grids_.back(); }
  /// The grid of a block.
  [[nodiscard]] const Grid& grid_of(std::uint32_t block) const;
  /// True if `ancestor` is a grid from which threads launched `grid`, directly or not.
  [[nodiscard]] bool descends(const Grid& grid, const Grid& ancestor) const;

  /// Stores a request with the address of its parameter buffer.
  void add_buffer(std::uint64_t address, GridRequest request);
  /// Removes it; empty if there is none.
  [[nodiscard]] std::optional<GridRequest> take_buffer(std::uint64_t address);
  /// Addresses of the buffers that no thread launched.
  [[nodiscard]] std::vector<std::uint64_t> take_buffers();

  void add_launch(DeviceLaunch launch) {
    if (launch.kind == DeviceLaunch::Kind::grid) ++pending_;
    launches_.push_back(std::move(launch));
  }
  /// The launches of the grid that has run, in their order.
  [[nodiscard]] std::vector<DeviceLaunch> take_launches() {
    pending_ = 0;
    return std::exchange(launches_, {});
  }
  [[nodiscard]] std::size_t pending() const { return pending_; }
  [[nodiscard]] std::size_t room() const { return room_; }

  /// Held by a host thread from a store to global memory to the end of its report.
  [[nodiscard]] std::mutex& store_mutex() { return store_mutex_; }

  /// The error of the last wrong call of a thread, as a cudaError_t; 0: none.
  [[nodiscard]] std::uint64_t& last_error(std::uint32_t block, unsigned thread) {
    return last_errors_[{block, thread}];
  }
  /// A handle of a stream or an event.
  [[nodiscard]] std::uint64_t new_handle() { return next_handle_++; }

 private:
  std::mutex store_mutex_;
  std::size_t room_;
  std::vector<Grid> grids_;
  std::unordered_map<std::uint64_t, GridRequest> buffers_;
  std::vector<DeviceLaunch> launches_;
  std::map<std::pair<std::uint32_t, unsigned>, std::uint64_t> last_errors_;
  std::size_t pending_ = 0;  // grids
  std::uint64_t next_handle_ = 0x1000;
};

}  // namespace warpcheck::machine

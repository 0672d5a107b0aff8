// A grid that the host launched, and the grids that its threads launch (CUDA C++ Programming Guide,
// "CUDA Dynamic Parallelism"). Their blocks have consecutive numbers in the order in which the
// grids run. Each grid runs before the grids that it launched.
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

/// The coordinates of element `number` in an extent; the first coordinate varies fastest.
[[nodiscard]] Dim3 place_in_extent(const Dim3& extent, std::uint64_t number);

/// The handles of streams in which a thread can launch (CUDA Runtime API, driver_types.h). Other
/// handles belong to streams that a thread created.
inline constexpr std::uint64_t kStreamOfBlock = 0;
inline constexpr std::uint64_t kStreamTailLaunch = 3;
inline constexpr std::uint64_t kStreamFireAndForget = 4;

/// The arguments of cudaGetParameterBufferV2().
struct GridRequest {
  const FunctionCode* kernel = nullptr;
  Dim3 extent;
  Dim3 block;
  std::size_t shared_bytes = 0;  // dynamic shared memory
};

/// A device operation of a thread: the launch of a grid, the record of an event in a stream, or a
/// wait for the event.
struct DeviceLaunch {
  enum class Kind : std::uint8_t { grid, record, wait };
  Kind kind = Kind::grid;
  std::uint64_t event = 0;  // event of a record or a wait
  GridRequest grid = {};
  std::vector<std::byte> parameters;
  std::vector<std::byte> parameters_shadow;
  std::uint64_t stream = kStreamOfBlock;
  std::uint32_t by_block = 0;  // number of the thread's block
  ThreadPlace by_thread;
  SourcePlace source;
  checks::VectorClock clock;  // accesses that happen before the launch
};

struct Grid {
  const FunctionCode* kernel = nullptr;
  Dim3 extent;
  Dim3 block;
  std::uint32_t first_block = 0;           // number of its first block
  std::optional<std::size_t> parent = {};  // number of the grid whose thread launched it
  unsigned depth = 0;                      // launches between the host's grid and this one
  SourcePlace source = {};                 // place of the launch by a thread
  ThreadPlace by_thread = {};
};

/// Only one host thread at a time runs grids whose threads launch others.
class GridFamily {
 public:
  /// `room` is the number of launches that may be pending.
  GridFamily(Grid first, std::size_t room) : room_(room) { grids_.push_back(std::move(first)); }

  /// Adds a grid that runs now. Returns its number.
  std::size_t add(Grid grid);
  [[nodiscard]] const std::vector<Grid>& grids() const { return grids_; }
  [[nodiscard]] const Grid& running() const { return grids_.back(); }
  /// The grid of a block.
  [[nodiscard]] const Grid& grid_of(std::uint32_t block) const;
  /// True if threads of `ancestor` launched `grid`, directly or indirectly.
  [[nodiscard]] bool descends(const Grid& grid, const Grid& ancestor) const;

  /// Stores a request with the address of its parameter buffer.
  void add_buffer(std::uint64_t address, GridRequest request);
  /// Removes a request; empty if there is none.
  [[nodiscard]] std::optional<GridRequest> take_buffer(std::uint64_t address);
  /// Removes the buffers that no thread launched, and returns their addresses.
  [[nodiscard]] std::vector<std::uint64_t> take_buffers();

  void add_launch(DeviceLaunch launch) {
    if (launch.kind == DeviceLaunch::Kind::grid) ++pending_;
    launches_.push_back(std::move(launch));
  }
  /// Removes the launches of the grid that has run, and returns them in order.
  [[nodiscard]] std::vector<DeviceLaunch> take_launches() {
    pending_ = 0;
    return std::exchange(launches_, {});
  }
  [[nodiscard]] std::size_t pending() const { return pending_; }
  [[nodiscard]] std::size_t room() const { return room_; }

  /// A host thread holds it from a store to global memory to the end of its report.
  [[nodiscard]] std::mutex& store_mutex() { return store_mutex_; }

  /// The error of the last wrong call of a thread, as a cudaError_t; 0: none.
  [[nodiscard]] std::uint64_t& last_error(std::uint32_t block, unsigned thread) {
    return last_errors_[{block, thread}];
  }
  /// A new handle for a stream or an event.
  [[nodiscard]] std::uint64_t new_handle() { return next_handle_++; }

 private:
  std::mutex store_mutex_;
  std::size_t room_;
  std::vector<Grid> grids_;
  std::unordered_map<std::uint64_t, GridRequest> buffers_;
  std::vector<DeviceLaunch> launches_;
  std::map<std::pair<std::uint32_t, unsigned>, std::uint64_t> last_errors_;
  std::size_t pending_ = 0;  // number of pending grids
  std::uint64_t next_handle_ = 0x1000;
};

}  // namespace warpcheck::machine

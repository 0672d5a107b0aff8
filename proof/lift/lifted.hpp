// The effects of a kernel as formulas: each access to memory, each barrier, and each 32-bit value
// whose mathematical value matters, with the conditions under which one thread executes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proof/domain/domain.hpp"
#include "proof/lift/flow.hpp"
#include "proof/poly/terms.hpp"

namespace warpcheck::proof {

enum class AccessKind : std::uint8_t { read, write, atomic };

enum class MemorySpace : std::uint8_t { global, shared, local, constant, parameter };

/// Who makes an access.
enum class Agent : std::uint8_t {
  thread,
  warp_by_rows,    // any lane of the warp; the thread states the address
  warp_by_lane_0,  // any lane of the warp; all lanes state the same address
};

struct Access {
  AccessKind kind = AccessKind::read;
  Agent agent = Agent::thread;
  bool is_asynchronous = false;       // a write that a later wait completes
  std::optional<SymbolId> base = {};  // the buffer or the array; empty: not recognized
  MemorySpace space = MemorySpace::global;
  Polynomial offset = {};           // bytes from the base; the whole address if there is no base
  std::int64_t bytes = 0;           // bytes of the access; the most that it may have
  std::int64_t alignment = 0;       // bytes, if it is not that of the access
  std::int64_t atomic_bytes = 0;    // bytes of each number that an atomic operation updates
  bool is_atomic_in_block = false;  // other blocks may see a part of an atomic operation
  std::optional<Polynomial> size = {};  // bytes, if they depend on the thread
  /// A copy through a tensor map: the indices of its first element, one for each axis, and the
  /// elements along each axis. It omits the elements that do not exist.
  std::vector<Polynomial> box_indices = {};
  std::vector<std::int64_t> box = {};
  std::vector<Formula> path = {};       // conditions of its execution
  std::vector<Formula> decisive = {};   // those without the ones that follow from the others
  std::vector<std::size_t> loops = {};  // loops around it, the outermost first
  BlockNumber block = 0;
  std::size_t instruction = 0;

  [[nodiscard]] bool is_shared() const { return space == MemorySpace::shared; }
  [[nodiscard]] bool is_box() const { return !box.empty(); }
  /// The elements along an axis that is not the last one.
  [[nodiscard]] std::int64_t count_along(std::size_t axis) const {
    return is_box() ? box[axis] : 1;
  }
};

/// A value of a narrow register that is compared, extended, divided or shifted right. The proofs
/// take its mathematical value, so it must be in the range of the register.
struct Observation {
  Polynomial value;
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::vector<Formula> path;
  std::size_t instruction = 0;
};

struct Barrier {
  std::vector<Formula> path;
  std::vector<std::size_t> loops;
  std::size_t instruction = 0;
};

/// An instruction that all lanes of a warp execute together.
struct WarpPoint {
  std::vector<Formula> path;
  std::vector<std::size_t> loops;
  std::size_t instruction = 0;
  std::vector<Polynomial> same = {};  // values that all lanes have in common
  bool has_all_lanes = true;          // false: it names some lanes, or they are not known
  std::int64_t threads = kLanes;      // the threads that execute it together: a warp, a warpgroup
};

/// A number, such as that of a block in its cluster, that must be from `least` to `most`.
struct Limited {
  Polynomial value;
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::vector<Formula> path;
  std::size_t instruction = 0;
  const char* reason = "";
};

/// An instruction that waits for other threads or for copies.
struct Wait {
  BlockNumber block = 0;
  std::size_t instruction = 0;
  const char* reason = "";
};

/// `cp.async.commit_group`, or `cp.async.wait_group N`; -1 for `cp.async.wait_all`.
struct CopyEvent {
  BlockNumber block = 0;
  std::size_t instruction = 0;
  std::optional<std::int64_t> wait;  // N; empty: a commit
};

/// The iterations of a loop.
struct LoopForm {
  std::optional<SymbolId> iteration = {};       // the number of the iteration
  std::optional<Polynomial> last = {};          // the number of the last iteration
  std::optional<SymbolId> last_iteration = {};  // a symbol for it, if it has no polynomial
  bool ends = true;                             // the number of iterations has a limit
  bool runs_all = false;  // each thread that enters executes all iterations up to the last one
};

/// A variable of the kernel or its module, or all dynamic shared memory. No thread writes one in
/// global memory.
struct Array {
  SymbolId base = 0;
  std::string name;
  MemorySpace space = MemorySpace::shared;
  Polynomial bytes = {};
};

struct Lifted {
  Flow flow;
  std::vector<Access> accesses;
  std::vector<Observation> observations;
  std::map<BlockNumber, Barrier> barriers;
  /// Conditions of another iteration of a loop that has a barrier, by the number of the loop.
  std::map<std::size_t, Barrier> repetitions;
  std::vector<WarpPoint> warp_points;
  std::vector<CopyEvent> copy_events;
  std::vector<LoopForm> loops;  // the index is the number of the loop in `flow`
  /// Edges that a thread may take, with a condition that it then satisfies during its whole life.
  std::map<std::pair<BlockNumber, BlockNumber>, Formula> edges;
  std::vector<Array> arrays;
  std::vector<Limited> blocks_of_cluster;  // numbers of blocks to which the kernel addresses itself
  std::vector<Barrier> cluster_barriers;
  std::vector<Wait> waits;
  /// The first instruction that orders accesses in a way that no proof follows: by mbarrier
  /// objects, or by waits for products and bulk copies.
  std::optional<Wait> unordered;

  /// Null if the base is that of a buffer.
  [[nodiscard]] const Array* array_at(SymbolId base) const;

  /// The numbers of all effects in lists.
  struct Sizes {
    std::size_t accesses = 0;
    std::size_t observations = 0;
    std::size_t warp_points = 0;
    std::size_t copy_events = 0;
    std::size_t blocks_of_cluster = 0;
    std::size_t cluster_barriers = 0;
    std::size_t waits = 0;
  };
  [[nodiscard]] Sizes sizes() const;
  /// Removes later effects.
  void resize(const Sizes& sizes);
};

}  // namespace warpcheck::proof

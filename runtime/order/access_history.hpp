// The earlier work of streams that accessed each byte, as far as later work may race with it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/accessed_range.hpp"
#include "runtime/order/stream_clock.hpp"

namespace warpcheck::runtime {

/// Bytes that one work accesses.
struct WorkAccess {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  WorkNumber work = 0;
  device::AccessKinds kinds;
};

struct WorkConflict {
  WorkNumber earlier = 0;
  bool earlier_writes = false;
  bool writes = false;
  std::uint64_t address = 0;                      // the first byte
  std::shared_ptr<const SourcePlace> place = {};  // place of the later access; null: unknown
};

class AccessHistory {
 public:
  /// True if an earlier work has ended before the work that accesses memory now.
  using IsOrdered = std::function<bool(WorkNumber earlier)>;

  /// Appends the conflicts of the work `number`, one for each earlier work.
  void access(const device::AccessedRange& range, WorkNumber number, const IsOrdered& is_ordered,
              std::vector<WorkConflict>& conflicts);

  /// The accesses to a range, in ascending order of their addresses. Empty if there are more than
  /// `most` runs of bytes with the same accesses.
  [[nodiscard]] std::vector<WorkAccess> accesses(std::uint64_t address, std::size_t bytes,
                                                 std::size_t most) const;

  void clear();
  /// The bytes were freed: their addresses may be used again.
  void forget(std::uint64_t address, std::size_t bytes);

  /// Removes what no byte refers to. Returns the work that some byte refers to.
  std::set<WorkNumber> compact();

 private:
  struct Entry {
    WorkNumber work = 0;
    device::AccessKinds kinds;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  using State = std::vector<Entry>;  // accesses to one byte
  using StateId = std::uint32_t;
  struct Run {
    std::uint64_t end = 0;
    StateId state = 0;
  };
  using Runs = std::map<std::uint64_t, Run>;  // keyed by first address
  struct Step {
    StateId next = 0;
    std::vector<WorkConflict> conflicts;
  };

  [[nodiscard]] StateId id_of(State state);
  [[nodiscard]] Step step(StateId from, WorkNumber number, const device::AccessKinds& kinds,
                          const IsOrdered& is_ordered);
  /// The first run that begins at the address or later; a run that contains it is split there.
  Runs::iterator split(std::uint64_t address);
  void put(std::uint64_t begin, std::uint64_t end, StateId state);

  Runs runs_;
  std::map<State, StateId> ids_{{State{}, 0}};
  std::vector<State> states_{1};  // indexed by id; 0: no accesses
  // The steps of the accesses of one kind by one work.
  WorkNumber stepping_ = 0;
  device::AccessKinds stepping_kinds_;
  bool stepping_early_ = false;
  std::unordered_map<StateId, Step> steps_;
};

}  // namespace warpcheck::runtime

// The order of the work of streams, as the CUDA runtime guarantees it. Work is executed when it is
// submitted; two works that nothing orders and that access the same bytes race.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/order/access_history.hpp"
#include "runtime/order/stream_clock.hpp"

namespace warpcheck::runtime {

/// `legacy`: the default stream, which waits for blocking streams, as they wait for it.
enum class StreamKind : std::uint8_t { legacy, blocking, non_blocking };

struct OrderedStream {
  StreamId id = 0;
  StreamKind kind = StreamKind::legacy;
};

/// A launch, a copy, a fill, an allocation or a free.
struct StreamWork {
  std::string name;         // "cudaMemcpyAsync", "launch 3 of add(int*)"
  const char* verb = "";    // "frees"; empty: it reads or writes
  std::uint64_t stack = 0;  // id of the calls of the host
  OrderedStream stream;
};

/// "cudaMemcpyAsync in stream 1".
[[nodiscard]] std::string describe(const StreamWork& work);

/// One launch of a graph.
struct GraphOrder {
  OrderedStream stream;
  StreamClock before;                        // the work that ends before the graph begins
  std::map<const void*, StreamClock> nodes;  // the work that has ended when the node ends
  std::vector<WorkNumber> works = {};        // work of all nodes
  std::vector<const void*> events = {};      // events that the nodes record
  StreamClock waited = {};                   // the work before the events that nodes wait for
  bool calls_host = false;                   // the host then continues after the nodes before
};

class StreamOrder {
 public:
  /// A program without streams and graphs has one order. Nothing is recorded before this call.
  void activate() { active_ = true; }
  [[nodiscard]] bool active() const { return active_; }

  /// `programmatic`: a launch that may begin when the work before it permits it.
  void begin(const OrderedStream& stream, std::uint64_t stack, bool programmatic = false);
  /// Work of a node, after the nodes `dependencies`.
  void begin(GraphOrder& graph, const std::vector<const void*>& dependencies, std::uint64_t stack);
  /// The work that has begun accesses memory. `name` and `verb` describe it.
  void access(const device::AccessedRange& range, const std::string& name, const char* verb,
              std::vector<WorkConflict>& conflicts);
  /// `launches_dependents`: the work permits a programmatic launch in its stream to begin.
  void end(bool launches_dependents = false);
  void end(GraphOrder& graph, const void* node);

  [[nodiscard]] GraphOrder begin_graph(const OrderedStream& stream) const;
  /// A graph that is a node, after `dependencies`.
  [[nodiscard]] static GraphOrder begin_child(const GraphOrder& parent,
                                              const std::vector<const void*>& dependencies);
  static void end_child(GraphOrder& parent, const void* node, const GraphOrder& child);
  void end_graph(GraphOrder& graph);

  void record(const void* event, const OrderedStream& stream);
  void wait(const OrderedStream& stream, const void* event);
  /// The node that has begun waits for the event.
  void wait(GraphOrder& graph, const void* event);
  void destroy(const void* event) { events_.erase(event); }
  void destroy(const OrderedStream& stream) { streams_.erase(stream.id); }

  void host_waits(const OrderedStream& stream);
  void host_waits(const void* event);
  void host_waits_for_all();

  void forget(std::uint64_t address, std::size_t bytes) {
    history_.forget(address, bytes);
    ++changes_;
  }
  /// The accesses to a range for which the host has not waited, in ascending order. Empty if there
  /// are more than `most` runs of bytes with the same accesses.
  [[nodiscard]] std::vector<WorkAccess> pending(std::uint64_t address, std::size_t bytes,
                                                std::size_t most) const;
  /// Another number: pending() may have changed.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] const StreamWork& current() const { return current_; }
  [[nodiscard]] const StreamWork& work(WorkNumber number) const { return works_.at(number); }

 private:
  [[nodiscard]] StreamClock before(const OrderedStream& stream) const;
  void advance(const OrderedStream& stream, StreamClock clock);
  void host_waits_until(const StreamClock& clock);
  void remove_works(StreamId stream);
  void remove_unused_works();

  bool active_ = false;
  std::uint64_t changes_ = 0;
  WorkNumber number_ = 0;
  StreamId graph_streams_ = 0;  // ids of the streams that stand for nodes
  StreamWork current_;
  StreamClock current_clock_;
  std::optional<StreamClock> early_clock_;       // clock of the accesses before griddepcontrol.wait
  std::map<StreamId, StreamClock> before_last_;  // work, if it permits the next one to begin
  StreamClock host_;
  StreamClock blocking_;  // clock of all blocking streams
  std::map<StreamId, StreamClock> streams_;
  std::map<const void*, StreamClock> events_;
  std::map<StreamId, WorkNumber> pending_;  // the last work of the streams that the host has not
                                            // waited for
  std::map<WorkNumber, StreamWork> works_;
  std::size_t most_works_ = 0;
  AccessHistory history_;
};

}  // namespace warpcheck::runtime

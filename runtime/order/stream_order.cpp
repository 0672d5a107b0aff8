#include "runtime/order/stream_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpcheck::runtime {
namespace {

constexpr std::size_t kFewWorks = 4096;

StreamClock joined(StreamClock clock, const std::map<const void*, StreamClock>& nodes,
                   const std::vector<const void*>& dependencies) {
  for (const void* const one : dependencies) {
    const auto found = nodes.find(one);
    if (found != nodes.end()) clock.join(found->second);
  }
  return clock;
}

std::string name_of(StreamId stream) {
  if (stream == kLegacyId) return "the default stream";
  if (stream > kFirstOfNodes) return "a node of a graph";
  if (stream > kFirstOfThreads) return "the default stream of a thread";
  return fmt::format("stream {}", stream - 2);
}

}  // namespace

std::string describe(const StreamWork& work) {
  return fmt::format("{} in {}", work.name, name_of(work.stream.id));
}

StreamClock StreamOrder::before(const OrderedStream& stream) const {
  StreamClock clock = host_;
  const auto join_stream = [&](StreamId id) {
    const auto found = streams_.find(id);
    if (found != streams_.end()) clock.join(found->second);
  };
  join_stream(stream.id);
  if (stream.kind == StreamKind::legacy) clock.join(blocking_);
  if (stream.kind == StreamKind::blocking) join_stream(kLegacyId);
  return clock;
}

void StreamOrder::advance(const OrderedStream& stream, StreamClock clock) {
  if (stream.kind == StreamKind::blocking) blocking_.join(clock);
  streams_[stream.id] = std::move(clock);
  before_last_.erase(stream.id);
}

void StreamOrder::begin(const OrderedStream& stream, std::uint64_t stack, bool programmatic) {
  current_ = {{}, "", stack, stream};
  current_clock_ = before(stream);
  early_clock_.reset();
  const auto last = before_last_.find(stream.id);
  if (programmatic && last != before_last_.end()) {
    early_clock_ = host_;
    early_clock_->join(last->second);
  }
  ++number_;
}

void StreamOrder::begin(GraphOrder& graph, const std::vector<const void*>& dependencies,
                        std::uint64_t stack) {
  early_clock_.reset();
  current_ = {{}, "", stack, {kFirstOfNodes + ++graph_streams_, graph.stream.kind}};
  current_clock_ = joined(graph.before, graph.nodes, dependencies);
  graph.works.push_back(++number_);
}

void StreamOrder::access(const device::AccessedRange& range, const std::string& name,
                         const char* verb, std::vector<WorkConflict>& conflicts) {
  if (!works_.contains(number_)) {
    remove_unused_works();
    current_.name = name;
    current_.verb = verb;
    works_.emplace(number_, current_);
  }
  const StreamClock& clock = range.early && early_clock_ ? *early_clock_ : current_clock_;
  const auto is_ordered = [&](WorkNumber earlier) {
    const auto found = works_.find(earlier);
    return found == works_.end() || clock.includes(found->second.stream.id, earlier);
  };
  history_.access(range, number_, is_ordered, conflicts);
}

void StreamOrder::end(bool launches_dependents) {
  ++changes_;
  StreamClock before = launches_dependents ? current_clock_ : StreamClock();
  current_clock_.add(current_.stream.id, number_);
  pending_[current_.stream.id] = number_;
  advance(current_.stream, std::move(current_clock_));
  if (launches_dependents) before_last_[current_.stream.id] = std::move(before);
}

void StreamOrder::end(GraphOrder& graph, const void* node) {
  ++changes_;
  current_clock_.add(current_.stream.id, number_);
  graph.nodes[node] = std::move(current_clock_);
}

GraphOrder StreamOrder::begin_graph(const OrderedStream& stream) const {
  return {stream, before(stream), {}};
}

GraphOrder StreamOrder::begin_child(const GraphOrder& parent,
                                    const std::vector<const void*>& dependencies) {
  return {parent.stream, joined(parent.before, parent.nodes, dependencies), {}};
}

void StreamOrder::end_child(GraphOrder& parent, const void* node, const GraphOrder& child) {
  StreamClock end = child.before;
  for (const auto& [one, clock] : child.nodes) end.join(clock);
  parent.nodes[node] = std::move(end);
  parent.waited.join(child.waited);
  parent.works.insert(parent.works.end(), child.works.begin(), child.works.end());
  parent.calls_host = parent.calls_host || child.calls_host;
  parent.events.insert(parent.events.end(), child.events.begin(), child.events.end());
}

/// Later work is ordered after all nodes or after none: they become work of the stream.
void StreamOrder::end_graph(GraphOrder& graph) {
  for (const WorkNumber number : graph.works) {
    const auto found = works_.find(number);
    if (found != works_.end()) found->second.stream = graph.stream;
  }
  StreamClock end = before(graph.stream);
  end.join(graph.waited);
  if (!graph.works.empty()) {
    end.add(graph.stream.id, graph.works.back());
    pending_[graph.stream.id] = graph.works.back();
  }
  for (const void* const event : graph.events) events_[event] = end;
  advance(graph.stream, std::move(end));
  if (graph.calls_host) host_waits(graph.stream);
}

void StreamOrder::record(const void* event, const OrderedStream& stream) {
  StreamClock clock = before(stream);
  events_[event] = clock;
  advance(stream, std::move(clock));  // blocking streams wait for a record in the default stream
}

void StreamOrder::wait(const OrderedStream& stream, const void* event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  StreamClock clock = before(stream);
  clock.join(found->second);
  advance(stream, std::move(clock));
}

void StreamOrder::wait(GraphOrder& graph, const void* event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  current_clock_.join(found->second);
  graph.waited.join(found->second);
}

void StreamOrder::host_waits(const OrderedStream& stream) { host_waits_until(before(stream)); }

void StreamOrder::host_waits(const void* event) {
  const auto found = events_.find(event);
  if (found != events_.end()) host_waits_until(found->second);
}

std::vector<WorkAccess> StreamOrder::pending(std::uint64_t address, std::size_t bytes,
                                             std::size_t most) const {
  std::vector<WorkAccess> accesses = history_.accesses(address, bytes, most);
  std::erase_if(accesses, [&](const WorkAccess& access) {
    const auto found = works_.find(access.work);
    return found == works_.end() || host_.includes(found->second.stream.id, access.work);
  });
  return accesses;
}

void StreamOrder::host_waits_until(const StreamClock& clock) {
  ++changes_;
  host_.join(clock);
  std::erase_if(pending_, [&](const auto& entry) {
    if (!host_.includes(entry.first, entry.second)) return false;
    remove_works(entry.first);
    return true;
  });
  if (pending_.empty()) host_waits_for_all();
}

/// The host has waited for all work of the stream: all later work is ordered after it.
void StreamOrder::remove_works(StreamId stream) {
  std::erase_if(works_, [&](const auto& entry) { return entry.second.stream.id == stream; });
  host_.drop(stream);
  blocking_.drop(stream);
  for (auto& [id, clock] : streams_) clock.drop(stream);
}

void StreamOrder::host_waits_for_all() {
  ++changes_;
  host_.add_all(number_);
  blocking_ = {};
  pending_.clear();
  streams_.clear();
  before_last_.clear();
  works_.clear();
  history_.clear();
}

void StreamOrder::remove_unused_works() {
  if (works_.size() < std::max(most_works_, kFewWorks)) return;
  const std::set<WorkNumber> used = history_.compact();
  std::erase_if(works_, [&](const auto& entry) { return !used.contains(entry.first); });
  most_works_ = 2 * works_.size();
}

}  // namespace warpcheck::runtime

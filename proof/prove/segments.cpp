#include "proof/prove/segments.hpp"

#include <algorithm>

namespace warpcheck::proof {
namespace {

using Kind = Progress::Kind;

constexpr int kMostIterations = 1;  // that a segment counts

Progress at_entry(const Loop& loop, Scope scope) {
  return loop.contains_barrier(scope) ? Progress{Kind::absolute, 0} : Progress{};
}

bool is_inside(const Loop& inner, const Loop& outer) {
  return &inner != &outer && outer.blocks.contains(inner.header);
}

/// The header of the loop is reached again.
void begin_iteration(const Flow& flow, std::size_t number, ProgressMap& progress, int most) {
  Progress& known = progress[number];
  if (known.has_left || (known.kind != Kind::free && known.count >= most)) known = {};
  if (known.kind != Kind::free) ++known.count;
  for (std::size_t other = 0; other < flow.loops.size(); ++other) {
    if (is_inside(flow.loops[other], flow.loops[number])) progress.erase(other);
  }
}

struct Arrival {
  BlockNumber block = 0;
  ProgressMap progress;
  std::set<Formula> facts;
};

/// The arrival at the end of an edge; empty if no thread takes it.
std::optional<Arrival> arrival(const Terms& terms, const Lifted& lifted, const Edge& edge,
                               const Arrival& from, Scope scope) {
  if (!edge.target) return std::nullopt;
  const auto condition = lifted.edges.find({from.block, *edge.target});
  if (condition == lifted.edges.end()) return std::nullopt;
  Arrival next{
      *edge.target,
      after_edge(lifted.flow, from.block, *edge.target, from.progress, kMostIterations, scope),
      from.facts};
  for (const Formula fact : terms.conjuncts(condition->second)) next.facts.insert(fact);
  return next;
}

/// Adds an arrival; the facts of several ways are those of all. Returns false if nothing changed.
bool add_arrival(Segment& segment, const Arrival& added) {
  auto& progresses = segment.blocks[added.block];
  const auto [place, is_new] = progresses.emplace(added.progress, added.facts);
  if (is_new) return true;
  return std::erase_if(place->second, [&](Formula fact) { return !added.facts.contains(fact); }) !=
         0;
}

void follow_segment(const Terms& terms, const Lifted& lifted, Scope scope, Segment& segment,
                    std::vector<Arrival> pending) {
  while (!pending.empty()) {
    Arrival at = std::move(pending.back());
    pending.pop_back();
    if (!add_arrival(segment, at)) continue;
    at.facts = segment.blocks.at(at.block).at(at.progress);
    if (lifted.flow.blocks[at.block].ends_at_barrier(scope)) continue;
    for (const Edge& edge : lifted.flow.blocks[at.block].edges) {
      if (auto next = arrival(terms, lifted, edge, at, scope)) pending.push_back(std::move(*next));
    }
  }
}

}  // namespace

ProgressMap after_edge(const Flow& flow, BlockNumber from, BlockNumber to,
                       const ProgressMap& progress, int most, Scope scope) {
  ProgressMap next = progress;
  for (std::size_t number = 0; number < flow.loops.size(); ++number) {
    const Loop& loop = flow.loops[number];
    if (!loop.blocks.contains(to)) {
      const auto known = next.find(number);
      if (known == next.end()) continue;
      if (known->second.kind == Kind::free) {
        next.erase(known);
      } else {
        known->second.has_left = true;
      }
    } else if (to != loop.header) {
      next.emplace(number, Progress{});
    } else if (loop.blocks.contains(from)) {
      begin_iteration(flow, number, next, most);
    } else {
      next[number] = at_entry(loop, scope);
    }
  }
  return next;
}

ProgressMap progress_at(const Flow& flow, BlockNumber block, Scope scope) {
  ProgressMap progress;
  for (const std::size_t loop : flow.loops_of(block)) {
    const bool is_counted = flow.loops[loop].contains_barrier(scope);
    progress[loop] = is_counted ? Progress{Kind::relative, 0} : Progress{};
  }
  return progress;
}

std::vector<Segment> segments(const Terms& terms, const Lifted& lifted, Scope scope) {
  const Flow& flow = lifted.flow;
  std::vector<Segment> all(1);
  ProgressMap first;
  for (const std::size_t loop : flow.loops_of(0)) first[loop] = at_entry(flow.loops[loop], scope);
  follow_segment(terms, lifted, scope, all.front(), {{0, first, {}}});
  for (const BlockNumber block : flow.order) {
    if (!flow.blocks[block].ends_at_barrier(scope)) continue;
    Segment& segment = all.emplace_back(Segment{block, {}});
    std::vector<Arrival> pending;
    for (const Edge& edge : flow.blocks[block].edges) {
      auto next = arrival(terms, lifted, edge, {block, progress_at(flow, block, scope), {}}, scope);
      if (next) pending.push_back(std::move(*next));
    }
    follow_segment(terms, lifted, scope, segment, std::move(pending));
  }
  return all;
}

}  // namespace warpcheck::proof

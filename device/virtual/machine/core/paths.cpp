#include "device/virtual/machine/core/paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpcheck::machine {
namespace {

using Edge = std::pair<std::size_t, std::size_t>;

std::vector<std::size_t> successors(const FunctionCode& code, std::size_t at) {
  const Op& op = code.ops[at];
  std::vector<std::size_t> next;
  if (op.successors == Successors::table) {
    next.assign(op.detail->targets.begin(), op.detail->targets.end());
  } else if (op.successors != Successors::none) {
    if (op.successors != Successors::target) next.push_back(at + 1);
    if (op.successors != Successors::next) next.push_back(op.target);
  }
  std::erase_if(next, [&](std::size_t target) { return target >= code.ops.size(); });
  return next;
}

/// The successors, or the predecessors, of each op.
std::vector<std::vector<std::size_t>> neighbours(const FunctionCode& code, Direction direction) {
  std::vector<std::vector<std::size_t>> all(code.ops.size());
  for (std::size_t at = 0; at < code.ops.size(); ++at) {
    for (const std::size_t next : successors(code, at)) {
      if (direction == Direction::forward) {
        all[at].push_back(next);
      } else {
        all[next].push_back(at);
      }
    }
  }
  return all;
}

/// The edges that close a loop: edges to an op on the path of a depth-first search. In a reducible
/// graph, which compilers emit, they do not depend on the order of the search.
std::set<Edge> back_edges(const FunctionCode& code) {
  enum class Color : std::uint8_t { unseen, on_path, done };
  struct Visit {
    std::size_t op;
    std::vector<std::size_t> next;
  };
  std::set<Edge> edges;
  std::vector<Color> color(code.ops.size(), Color::unseen);
  std::vector<Visit> path;
  const auto enter = [&](std::size_t op) {
    color[op] = Color::on_path;
    path.push_back({op, successors(code, op)});
  };
  if (!code.ops.empty()) enter(0);
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next.empty()) {
      color[visit.op] = Color::done;
      path.pop_back();
      continue;
    }
    const std::size_t next = visit.next.back();
    visit.next.pop_back();
    if (color[next] == Color::on_path) edges.emplace(visit.op, next);
    if (color[next] == Color::unseen) enter(next);
  }
  return edges;
}

bool is_barrier(const FunctionCode& code, const Op& op, bool within_warp) {
  if (op.instruction >= code.source->body.size()) return false;
  const std::vector<std::string>& parts = code.source->body[op.instruction].parts;
  if (parts.empty() || (parts.front() != "bar" && parts.front() != "barrier")) return false;
  const auto has = [&](std::string_view word) {
    return std::find(parts.begin(), parts.end(), word) != parts.end();
  };
  return has("warp") ? within_warp : !has("arrive");
}

/// A hypothetical barrier before or after an op.
struct AddedBarrier {
  std::size_t op = 0;
  bool after = false;

  [[nodiscard]] bool stops(std::size_t from, std::size_t to) const {
    return after ? from == op : to == op;
  }
};

Path path_without_barrier(const FunctionCode& code, const std::set<Edge>& closing, std::size_t from,
                          std::size_t to, bool within_warp, const AddedBarrier* added) {
  // The indices are an op, and 1 if the path to it contains a back edge.
  std::vector<std::array<bool, 2>> reached(code.ops.size());
  std::vector<std::pair<std::size_t, bool>> open = {{from, false}};
  while (!open.empty()) {
    const auto [at, looped] = open.back();
    open.pop_back();
    for (const std::size_t next : successors(code, at)) {
      if (added != nullptr && added->stops(at, next)) continue;
      const bool now = looped || closing.contains({at, next});
      if (std::exchange(reached[next][now ? 1 : 0], true)) continue;
      if (next == to || !is_barrier(code, code.ops[next], within_warp)) {
        open.emplace_back(next, now);
      }
    }
  }
  if (reached[to][0]) return Path::forward;
  return reached[to][1] ? Path::next_iteration : Path::none;
}

std::size_t number_of(const FunctionCode& code, const Op& op) {
  return static_cast<std::size_t>(&op - code.ops.data());
}

}  // namespace

Path path_without_barrier(const FunctionCode& code, const Op& from, const Op& to,
                          bool within_warp) {
  return path_without_barrier(code, back_edges(code), number_of(code, from), number_of(code, to),
                              within_warp, nullptr);
}

const Op* op_at(const FunctionCode& code, unsigned ptx_line) {
  const auto found = std::find_if(code.ops.begin(), code.ops.end(), [&](const Op& op) {
    return op.instruction < code.source->body.size() &&
           code.source->body[op.instruction].place.line == ptx_line;
  });
  return found == code.ops.end() ? nullptr : &*found;
}

std::vector<bool> ops_that_reach(const FunctionCode& code, const Op& to) {
  const std::vector<std::vector<std::size_t>> predecessors = neighbours(code, Direction::backward);
  std::vector<bool> reaching(code.ops.size());
  std::vector<std::size_t> open = {number_of(code, to)};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t before : predecessors[at]) {
      if (reaching[before]) continue;
      reaching[before] = true;
      open.push_back(before);
    }
  }
  return reaching;
}

std::vector<const Op*> barriers_between(const FunctionCode& code, const Op& from, const Op& to) {
  const std::vector<bool> is_before = ops_that_reach(code, to);
  std::vector<const Op*> found;
  for (const Op& op : code.ops) {
    if (!is_barrier(code, op, false) || !is_before[number_of(code, op)]) continue;
    if (ops_that_reach(code, op)[number_of(code, from)]) found.push_back(&op);
  }
  return found;
}

const Op* nearest_flag(const FunctionCode& code, const Op& from, Direction direction) {
  const std::vector<std::vector<std::size_t>> next = neighbours(code, direction);
  std::vector<bool> seen(code.ops.size());
  std::vector<std::size_t> open = {number_of(code, from)};
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const std::size_t at : next[open[i]]) {
      if (seen[at]) continue;
      seen[at] = true;
      const Op& op = code.ops[at];
      if (op.strong && op.space != Space::shared) return &op;
      open.push_back(at);
    }
  }
  return nullptr;
}

bool one_barrier_orders(const FunctionCode& code, std::span<const RacingPair> pairs) {
  const std::set<Edge> closing = back_edges(code);
  const auto ordered = [&](const RacingPair& pair, const AddedBarrier& barrier) {
    const std::size_t one = number_of(code, *pair.one);
    const std::size_t other = number_of(code, *pair.other);
    return path_without_barrier(code, closing, one, other, false, &barrier) == Path::none &&
           path_without_barrier(code, closing, other, one, false, &barrier) == Path::none;
  };
  const auto orders_all = [&](const AddedBarrier& barrier) {
    return std::all_of(pairs.begin(), pairs.end(),
                       [&](const RacingPair& pair) { return ordered(pair, barrier); });
  };
  return std::any_of(pairs.begin(), pairs.end(), [&](const RacingPair& pair) {
    const std::size_t one = number_of(code, *pair.one);
    const std::size_t other = number_of(code, *pair.other);
    return orders_all({one, false}) || orders_all({one, true}) || orders_all({other, false}) ||
           orders_all({other, true});
  });
}

}  // namespace warpcheck::machine

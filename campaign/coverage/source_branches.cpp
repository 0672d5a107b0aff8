#include "campaign/coverage/source_branches.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace warpcheck::campaign::coverage {
namespace {

using device::CoveredEdge;

/// The edges that leave one instruction.
struct Ways {
  std::uint32_t from = 0;
  std::vector<CoveredEdge> edges;
};

std::vector<Ways> ways_out(const device::Coverage& covered) {
  std::vector<Ways> all;
  for (const CoveredEdge& edge : covered.edges) {
    if (edge.from == device::kEntry) continue;
    if (all.empty() || all.back().from != edge.from) all.push_back({edge.from, {}});
    all.back().edges.push_back(edge);
  }
  return all;
}

bool same_place(const SourcePlace& one, const SourcePlace& other) {
  return one.line == other.line && one.column == other.column && one.file == other.file;
}

class Reader {
 public:
  Reader(const Places& places, const Guards& guards, const device::Coverage& covered)
      : places_(places), guards_(guards), covered_(covered), ways_(ways_out(covered)) {
    for (const Ways& ways : ways_) {
      if (is_two_way(ways) && target(ways) <= ways.from) loops_[ways.from] = target(ways);
    }
  }

  SourceBranches read() {
    for (const Ways& ways : ways_) {
      if (!places_.contains(ways.from)) continue;
      if (is_table(ways)) {
        add_table(ways);
      } else if (is_two_way(ways)) {
        add_branch(ways);
      }
    }
    std::set<std::uint32_t> ends;  // last instructions of blocks
    for (const Ways& ways : ways_) ends.insert(ways.from);
    for (const auto& [number, guard] : guards_) {
      // A guarded exit skips the instructions after it.
      const bool leaves = ends.contains(number);
      add(places_.at(number), 0, leaves ? guard.failed : guard.held,
          leaves ? guard.held : guard.failed);
    }
    return std::move(branches_);
  }

 private:
  [[nodiscard]] bool is_table(const Ways& ways) const {
    const auto place = places_.find(ways.from);
    return place != places_.end() && place->second.facts.has_table;
  }
  [[nodiscard]] bool is_two_way(const Ways& ways) const {
    return ways.edges.size() == 2 && !is_table(ways);
  }
  static std::uint32_t target(const Ways& ways) { return ways.edges.back().to; }

  void add_branch(const Ways& ways) {
    const bool back = target(ways) <= ways.from;
    const std::uint64_t jumped = ways.edges.back().warps;
    const std::uint64_t went_on = ways.edges.front().warps;
    const SourcePlace* place = &places_.at(ways.from);
    if (const auto loop = skipped_loop(ways)) place = &places_.at(*loop);
    add(*place, 0, back ? jumped : went_on, back ? went_on : jumped);
  }

  /// Returns the branch at the end of the loop that `ways` skips, if `ways` has the place of a
  /// statement of that loop.
  [[nodiscard]] std::optional<std::uint32_t> skipped_loop(const Ways& ways) const {
    const std::uint32_t past = target(ways);
    const auto loop = past == 0 ? loops_.end() : loops_.find(past - 1);
    if (loop == loops_.end() || ways.from >= loop->second || !places_.contains(loop->first)) {
      return std::nullopt;
    }
    const SourcePlace& own = places_.at(ways.from);
    for (auto at = places_.lower_bound(loop->second);
         at != places_.end() && at->first <= loop->first; ++at) {
      if (same_place(at->second, own)) return loop->first;
    }
    return std::nullopt;
  }

  void add_table(const Ways& ways) {
    std::uint64_t came = 0;
    for (const device::CoveredBlock& block : covered_.blocks) {
      if (block.first <= ways.from && ways.from - block.first < block.instructions) {
        came = block.warps;
      }
    }
    for (unsigned arm = 0; arm < ways.edges.size(); ++arm) {
      const CoveredEdge& edge = ways.edges[arm];
      const std::uint64_t all_went = edge.warps - edge.divergent;
      add(places_.at(ways.from), arm, edge.warps, came - std::min(came, all_went));
    }
  }

  void add(const SourcePlace& place, unsigned arm, std::uint64_t taken, std::uint64_t not_taken) {
    if (place.from_library || place.column == 0) return;
    BranchCoverage& branch = branches_[{place.file, place.line, place.column, arm}];
    branch.column = place.column;
    branch.arm = arm;
    branch.taken += taken;
    branch.not_taken += not_taken;
  }

  const Places& places_;
  const Guards& guards_;
  const device::Coverage& covered_;
  std::vector<Ways> ways_;
  std::map<std::uint32_t, std::uint32_t> loops_;  // targets of the branches that lead back
  SourceBranches branches_;
};

}  // namespace

Guards guards_of(const Places& places, const device::Coverage& covered) {
  Guards guards;
  unsigned last_line = 0;  // last line of the PTX: an instruction may execute in two steps
  for (const device::CoveredCondition& condition : covered.conditions) {
    const auto place = places.find(condition.at);
    if (place == places.end()) continue;
    const std::string_view text = place->second.instruction;
    const bool computes_predicate =
        text.find("setp") != std::string_view::npos || text.find(".pred") != std::string_view::npos;
    if (!text.starts_with('@') || computes_predicate) continue;
    if (std::exchange(last_line, place->second.ptx_line) != place->second.ptx_line) {
      guards.emplace(condition.at, condition);
    }
  }
  return guards;
}

SourceBranches source_branches(const Places& places, const Guards& guards,
                               const device::Coverage& covered) {
  return Reader(places, guards, covered).read();
}

}  // namespace warpcheck::campaign::coverage

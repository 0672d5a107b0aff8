// No two threads of a launch make accesses of which one writes, to the same place, that barriers of
// the block do not order. Two atomic accesses do not race.
#include <fmt/format.h>

#include <algorithm>

#include "proof/prove/kernel.hpp"
#include "proof/prove/pairs.hpp"
#include "proof/prove/segments.hpp"

namespace warpcheck::proof {
namespace {

bool conflict(const Access& one, const Access& other) {
  if (one.kind == AccessKind::read && other.kind == AccessKind::read) return false;
  if (are_atomic(one, other)) return false;
  return one.base == other.base;
}

constexpr const char* kSharedReason =
    "two threads may access the same place of shared memory between two barriers, and one writes";

/// Accesses of a segment with what is known of their iterations.
struct Item {
  const AccessGroup* group = nullptr;
  ProgressMap progress;
  std::set<Formula> facts;

  [[nodiscard]] std::vector<Formula> path() const {
    std::vector<Formula> all = group->first().path;
    all.insert(all.end(), facts.begin(), facts.end());
    return all;
  }

  friend bool operator<(const Item& left, const Item& right) {
    return std::tie(left.group, left.progress, left.facts) <
           std::tie(right.group, right.progress, right.facts);
  }
};

/// The iterations of the loops around the barrier at the beginning of a segment.
class BarrierIterations {
 public:
  explicit BarrierIterations(Terms& terms) : terms_(terms) {}

  Polynomial operator()(std::size_t loop) {
    const auto found = iterations_.find(loop);
    if (found != iterations_.end()) return found->second;
    const Polynomial made =
        terms_.unknown("iteration of the barrier", Level::block, {0, std::nullopt});
    return iterations_.emplace(loop, made).first->second;
  }

 private:
  Terms& terms_;
  std::map<std::size_t, Polynomial> iterations_;
};

class SharedRaces {
 public:
  explicit SharedRaces(const Kernel& kernel)
      : kernel_(kernel),
        terms_(kernel.terms),
        groups_(groups(accesses_where(kernel, [](const Access& a) { return a.is_shared(); }))) {
    const std::vector<BasicBlock>& blocks = kernel.lifted.flow.blocks;
    has_warp_barriers_ = std::any_of(blocks.begin(), blocks.end(), [](const BasicBlock& block) {
      return block.warp_barrier.has_value();
    });
  }

  void check(Gaps& gaps) {
    const bool writes = std::any_of(groups_.begin(), groups_.end(), [](const AccessGroup& group) {
      return group.first().kind != AccessKind::read;
    });
    if (!writes) return;
    const std::vector<Segment> all = segments(terms_, kernel_.lifted, Scope::block);
    for (const Segment& segment : all) {
      check_segment(segment, Scope::block, gaps);
      if (are_enough(kernel_, gaps)) return;
    }
    if (has_warp_barriers_) check_warps(gaps);
    if (are_enough(kernel_, gaps)) return;
    for (const AccessGroup& group : groups_) {
      for (const Access* access : group.members) {
        if (access->is_asynchronous) check_copy(*access, all, gaps);
        if (are_enough(kernel_, gaps)) return;
      }
    }
  }

 private:
  /// The lanes of one warp, which barriers of the warp order too.
  void check_warps(Gaps& gaps) {
    for (const Segment& segment : segments(terms_, kernel_.lifted, Scope::warp)) {
      check_segment(segment, Scope::warp, gaps);
      if (are_enough(kernel_, gaps)) return;
    }
  }

  void check_segment(const Segment& segment, Scope scope, Gaps& gaps) {
    std::vector<Item> items;
    for (const auto& [block, progresses] : segment.blocks) {
      for (const AccessGroup& group : groups_) {
        if (group.first().block != block) continue;
        for (const auto& [progress, facts] : progresses) items.push_back({&group, progress, facts});
      }
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      for (std::size_t j = i; j < items.size(); ++j) {
        if (!conflict(items[i].group->first(), items[j].group->first())) continue;
        if (!checked_.emplace(scope, items[i], items[j]).second) continue;
        check_pair(items[i], items[j], scope, gaps);
        if (are_enough(kernel_, gaps)) return;
      }
    }
  }

  void check_pair(const Item& one, const Item& other, Scope scope, Gaps& gaps) {
    const Access& first = one.group->first();
    const Access& second_access = other.group->first();
    // A barrier of the warp does not wait for copies.
    const bool has_copy = first.is_asynchronous || second_access.is_asynchronous;
    if (scope == Scope::warp && has_copy) return;
    SecondExecution second(terms_, Level::block);
    BarrierIterations start(terms_);
    const auto same = [](const Polynomial& value) { return value; };
    Violation violation{one.path()};
    violation.add(in_second(second, other.path()));
    violation.add(by_two_threads(kernel_, second, first, second_access, kernel_.domain.threads));
    if (scope == Scope::warp) {
      violation.add({in_one_group(kernel_, second)});
    } else if (has_warp_barriers_ && !has_copy) {
      violation.add({terms_.negate(in_one_group(kernel_, second))});
    }
    violation.add(progress_formulas(terms_, kernel_.lifted, one.progress, same, start));
    violation.add(progress_formulas(terms_, kernel_.lifted, other.progress, second, start));
    violation.add(overlap(terms_, group_offset(terms_, *one.group), first.bytes, second,
                          group_offset(terms_, *other.group), second_access.bytes));
    require_impossible(kernel_, violation, kSharedReason, first.instruction, gaps,
                       second_access.instruction);
  }

  struct CopyPlace {
    BlockNumber block = 0;
    std::size_t after = 0;    // instructions after this one ...
    std::size_t before = 0;   // ... and before this one run while the copy is active
    ProgressMap progress;     // relative to the copy
    bool at_barrier = false;  // the copy is active at the barrier that ends the block
  };

  /// Where the thread of a copy is until a wait completes it. PTX ISA 9.7.9.25.3.
  std::vector<CopyPlace> active_places(const Access& copy) const {
    struct Pending {
      BlockNumber block;
      std::size_t after;
      ProgressMap progress;
      int commits;
    };
    constexpr int kMostCommits = 8;
    constexpr int kMostCounted = 5;
    const Flow& flow = kernel_.lifted.flow;
    std::vector<CopyPlace> places;
    std::set<std::tuple<BlockNumber, ProgressMap, int>> seen;
    std::vector<Pending> pending = {
        {copy.block, copy.instruction, progress_at(flow, copy.block, Scope::block), 0}};
    while (!pending.empty()) {
      Pending at = pending.back();
      pending.pop_back();
      const BasicBlock& block = flow.blocks[at.block];
      std::size_t end = block.end;
      bool is_active = true;
      for (const CopyEvent& event : kernel_.lifted.copy_events) {
        if (event.block != at.block || event.instruction <= at.after || !is_active) continue;
        if (!event.wait) {
          at.commits = std::min(at.commits + 1, kMostCommits);
        } else if (at.commits > *event.wait) {
          is_active = false;
          end = event.instruction;
        }
      }
      places.push_back(
          {at.block, at.after, end, at.progress, is_active && block.barrier.has_value()});
      if (!is_active) continue;
      for (const Edge& edge : block.edges) {
        if (!edge.target || !kernel_.lifted.edges.contains({at.block, *edge.target})) continue;
        Pending next{
            *edge.target, 0,
            after_edge(flow, at.block, *edge.target, at.progress, kMostCounted, Scope::block),
            at.commits};
        next.after = flow.blocks[*edge.target].begin;
        if (next.after > 0) --next.after;
        if (seen.emplace(next.block, next.progress, next.commits).second) {
          pending.push_back(std::move(next));
        }
      }
    }
    return places;
  }

  /// Until a wait of its thread, an asynchronous copy races with accesses of the thread itself, and
  /// with those of other threads also after barriers.
  void check_copy(const Access& copy, const std::vector<Segment>& all, Gaps& gaps) {
    for (const CopyPlace& place : active_places(copy)) {
      for (const AccessGroup& group : groups_) {
        if (group.first().base != copy.base) continue;
        if (group.first().block == place.block) check_own(copy, place, group, gaps);
        if (are_enough(kernel_, gaps)) return;
      }
      if (!place.at_barrier) continue;
      for (const Segment& segment : all) {
        if (segment.barrier == place.block) check_after_barrier(copy, place, segment, gaps);
        if (are_enough(kernel_, gaps)) return;
      }
    }
  }

  void check_own(const Access& copy, const CopyPlace& place, const AccessGroup& group, Gaps& gaps) {
    AccessGroup during;
    for (const Access* access : group.members) {
      const bool is_during =
          access->instruction > place.after && access->instruction < place.before;
      if (is_during) during.members.push_back(access);
    }
    if (during.members.empty()) return;
    const Access& access = during.first();
    SecondExecution second(terms_, Level::block, kernel_.domain.threads);
    Violation violation{copy.path};
    violation.add(in_second(second, access.path));
    violation.add(progress_formulas(terms_, kernel_.lifted, place.progress, second,
                                    [&](std::size_t loop) { return iteration(loop); }));
    violation.add(overlap(terms_, {copy.offset, kTrue}, copy.bytes, second,
                          group_offset(terms_, during), access.bytes));
    require_impossible(kernel_, violation,
                       "the thread may access the destination of an asynchronous copy before it "
                       "waits for the copy",
                       access.instruction, gaps, copy.instruction);
  }

  void check_after_barrier(const Access& copy, const CopyPlace& place, const Segment& segment,
                           Gaps& gaps) {
    for (const auto& [block, progresses] : segment.blocks) {
      for (const AccessGroup& group : groups_) {
        if (group.first().block != block || group.first().base != copy.base) continue;
        for (const auto& [progress, facts] : progresses) {
          check_later(copy, place, {&group, progress, facts}, gaps);
          if (are_enough(kernel_, gaps)) return;
        }
      }
    }
  }

  void check_later(const Access& copy, const CopyPlace& place, const Item& later, Gaps& gaps) {
    SecondExecution second(terms_, Level::block);
    const Access& access = later.group->first();
    BarrierIterations barrier(terms_);
    Violation violation{copy.path};
    violation.add(in_second(second, later.path()));
    violation.add(by_two_threads(kernel_, second, copy, access, kernel_.domain.threads));
    for (const auto& [loop, known] : place.progress) {
      if (known.kind == Progress::Kind::free || !kernel_.lifted.loops[loop].iteration) continue;
      const bool is_relative = known.kind == Progress::Kind::relative;
      const Polynomial count = is_relative ? iteration(loop) + known.count : known.count;
      if (!known.has_left) {
        violation.add({terms_.equal(barrier(loop), count)});
      } else if (const auto& last = kernel_.lifted.loops[loop].last) {
        violation.add({terms_.equal(*last, count)});
      }
    }
    violation.add(progress_formulas(terms_, kernel_.lifted, later.progress, second, barrier));
    violation.add(overlap(terms_, {copy.offset, kTrue}, copy.bytes, second,
                          group_offset(terms_, *later.group), access.bytes));
    require_impossible(kernel_, violation,
                       "another thread may access the destination of an asynchronous copy before "
                       "the thread of the copy has waited for it and reached a barrier",
                       access.instruction, gaps, copy.instruction);
  }

  Polynomial iteration(std::size_t loop) const {
    return Polynomial::of(*kernel_.lifted.loops[loop].iteration);
  }

  const Kernel& kernel_;
  Terms& terms_;
  std::vector<AccessGroup> groups_;
  bool has_warp_barriers_ = false;
  std::set<std::tuple<Scope, Item, Item>> checked_;
};

}  // namespace

Gaps prove_races(const Kernel& kernel) {
  if (const auto& wait = kernel.lifted.unordered) return {{wait->reason, wait->instruction}};
  Gaps gaps;
  SharedRaces(kernel).check(gaps);
  if (are_enough(kernel, gaps)) return gaps;
  for (Gap& gap : global_pairs(kernel, PairKind::two_threads)) gaps.push_back(std::move(gap));
  return gaps;
}

}  // namespace warpcheck::proof

#include "device/virtual/machine/block/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "device/virtual/checks/global_races.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/core/source_place.hpp"

namespace warpcheck::machine {

std::uint32_t blocks_of_cluster(const LaunchContext& launch) {
  static constexpr std::uint64_t kMany = 1 << 10;  // larger than any cluster, and the product fits
  const auto extent = [](unsigned value) { return std::min<std::uint64_t>(value, kMany); };
  return static_cast<std::uint32_t>(extent(launch.cluster.x) * extent(launch.cluster.y) *
                                    extent(launch.cluster.z));
}

Cluster::Cluster(std::vector<Block*> blocks) : blocks_(std::move(blocks)), lanes_(blocks_.size()) {}

std::uint32_t Cluster::rank_of(const Block& block) const {
  return static_cast<std::uint32_t>(std::find(blocks_.begin(), blocks_.end(), &block) -
                                    blocks_.begin());
}

const Cluster::Lanes& Cluster::lanes_of(const Warp& warp) const {
  return lanes_[rank_of(warp.block())][warp.index()];
}

Mask Cluster::arrived(const Warp& warp) const {
  const Lanes& lanes = lanes_of(warp);
  return lanes.pending | lanes.passed;
}

Mask Cluster::pending(const Warp& warp) const { return lanes_of(warp).pending; }

void Cluster::arrive(const Warp& warp, Mask lanes, bool releases) {
  Block& block = warp.block();
  lanes_[rank_of(block)][warp.index()].pending |= lanes;
  if (block.looks_for_races()) {
    checks::BlockClocks& clocks = block.races().clocks();
    if (releases) {
      clocks.release(warp.index(), lanes, arrived_);
    } else {
      clocks.release_fenced(warp.index(), lanes, arrived_);
      join(arrived_, lanes_of(warp).fenced_inits);
    }
  }
  block.note_change();
  complete_if_all_came();
}

void Cluster::fence_inits(const Warp& warp, Mask lanes) {
  Block& block = warp.block();
  if (!block.looks_for_races()) return;
  block.races().clocks().release(warp.index(), lanes,
                                 lanes_[rank_of(block)][warp.index()].fenced_inits);
}

void Cluster::pass(const Warp& warp, Mask lanes) {
  Block& block = warp.block();
  lanes_[rank_of(block)][warp.index()].passed &= ~lanes;
  if (block.looks_for_races()) block.races().clocks().acquire(warp.index(), lanes, completed_);
}

std::uint64_t Cluster::arrivals() const {
  std::uint64_t threads = 0;
  for (const auto& warps : lanes_) {
    for (const Lanes& lanes : warps) threads += static_cast<unsigned>(std::popcount(lanes.pending));
  }
  return threads;
}

std::uint64_t Cluster::live() const {
  std::uint64_t threads = 0;
  for (const Block* block : blocks_) {
    if (block == nullptr) continue;
    for (const auto& warp : block->warps()) {
      threads += static_cast<unsigned>(std::popcount(warp->live()));
    }
  }
  return threads;
}

void Cluster::complete_if_all_came() {
  if (arrivals() == 0) return;
  for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
    if (blocks_[rank] == nullptr) continue;
    for (const auto& warp : blocks_[rank]->warps()) {
      if ((warp->live() & ~lanes_[rank][warp->index()].pending) != 0) return;
    }
  }
  completed_ = arrived_;
  for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
    for (Lanes& lanes : lanes_[rank]) lanes.passed |= std::exchange(lanes.pending, 0);
    if (blocks_[rank] == nullptr) continue;
    blocks_[rank]->note_change();
    for (const auto& warp : blocks_[rank]->warps()) {
      for (const Fragment& fragment : warp->fragments()) {
        const bool waits =
            fragment.state == FragmentState::at_barrier && fragment.barrier == kClusterBarrier;
        if (waits) pass(*warp, fragment.lanes);
      }
      warp->release(kClusterBarrier);
    }
  }
}

void Cluster::note_remote(std::uint32_t owner, const Warp& warp, const Op& op, Mask lanes,
                          bool write) {
  const checks::BlockClocks& clocks = warp.block().races().clocks();
  remote_[{owner, clocks.block(), warp.index(), op.number}] = {clocks.now(warp.index()), lanes,
                                                               write};
}

void Cluster::end(Block& block) {
  const std::uint32_t rank = rank_of(block);
  blocks_[rank] = nullptr;
  complete_if_all_came();
  if (!block.looks_for_races()) return;
  block.launch().global_races->forget(block.shared_number());
  checks::VectorClock clock;
  for (const auto& warp : block.warps()) {
    block.races().clocks().release(warp->index(), warp->started(), clock);
  }
  for (const auto& [key, access] : remote_) {
    const auto& [owner, accessing, warp, number] = key;
    if (owner != rank) continue;
    const Mask unordered =
        access.lanes & ~clock[accessing].covered(warp, access.lanes, access.interval);
    if (unordered == 0) continue;
    const Program& program = *block.launch().program;
    const FunctionCode& code = program.function_of(number);
    Finding finding;
    finding.kind = FindingClass::out_of_bounds;
    finding.source = source_place(program, code, code.ops[number - code.first_op]);
    finding.thread = block.place_in(accessing, warp, lowest(unordered));
    finding.message = fmt::format(
        "{} shared memory of block {}, which may have ended: no barrier of the cluster orders the "
        "access before the end of the block",
        access.write ? "store to" : "load from", triple(block.index()));
    block.add_finding(std::move(finding));
  }
}

}  // namespace warpcheck::machine

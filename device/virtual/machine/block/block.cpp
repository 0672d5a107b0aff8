#include "device/virtual/machine/block/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "device/virtual/machine/block/async_copies.hpp"
#include "device/virtual/machine/block/diagnose_hang.hpp"
#include "device/virtual/machine/grid/schedule.hpp"
#include "ptx/printer.hpp"

namespace warpcheck::machine {
namespace {

/// The places that the author of the kernel wrote, the innermost first; that of the instruction
/// where there is none.
std::vector<ptx::SourceLine> author_lines(const ptx::Module& module,
                                          const ptx::SourceLocation& location) {
  std::vector<ptx::SourceLine> lines = {location.line};
  lines.insert(lines.end(), location.inlined_at.begin(), location.inlined_at.end());
  std::erase_if(lines, [&](const ptx::SourceLine& line) {
    return is_toolkit_header(module.file(line.file));
  });
  if (lines.empty()) lines.push_back(location.line);
  return lines;
}

std::size_t shared_bytes(const LaunchContext& launch) {
  return launch.program->dynamic_shared + launch.dynamic_shared_bytes;
}

unsigned threads_of(const LaunchContext& launch) {
  return launch.block.x * launch.block.y * launch.block.z;
}

}  // namespace

SourcePlace source_place(const Program& program, const FunctionCode& function, const Op& op) {
  const ptx::Module& module = program.module;
  SourcePlace place;
  if (op.instruction >= function.source->body.size()) return place;
  const ptx::Instruction& instruction = function.source->body[op.instruction];
  place.instruction = ptx::to_text(module, *function.source, instruction);
  place.ptx_line = instruction.place.line;
  if (instruction.location) {
    const auto lines = author_lines(module, module.locations[*instruction.location]);
    place.file = module.file(lines.front().file);
    place.line = lines.front().line;
    place.column = lines.front().column;
    place.from_toolkit = !(lines.front() == module.locations[*instruction.location].line);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      place.calls.push_back({std::string(module.file(lines[i].file)), lines[i].line});
    }
  }
  return place;
}

std::string line_of(const SourcePlace& place) {
  return place.line != 0 ? fmt::format("line {}", place.line)
                         : fmt::format("PTX line {}", place.ptx_line);
}

std::size_t add_if_new(std::vector<Finding>& findings, Finding finding) {
  const auto known = std::find_if(findings.begin(), findings.end(), [&](const Finding& earlier) {
    return same_places(earlier, finding);
  });
  const auto index = static_cast<std::size_t>(known - findings.begin());
  if (known != findings.end()) {
    known->count += finding.count;
  } else {
    findings.push_back(std::move(finding));
  }
  return index;
}

Block::Block(const LaunchContext& launch)
    : launch_(&launch),
      threads_(threads_of(launch)),
      races_(threads_of(launch), launch.look_for_races ? shared_bytes(launch) : 0,
             launch.kernel->shared_unit),
      async_copies_(std::make_unique<AsyncCopies>()) {
  for (unsigned warp = 0; warp * kLanes < threads_; ++warp) {
    warps_.push_back(std::make_unique<Warp>(*this, warp, *launch.kernel));
    order_.push_back(warp);
  }
  shared_data_.resize(shared_bytes(launch));
  shared_shadow_.resize(shared_bytes(launch));
  shared_containers_ = machine::shared_containers(launch, shared());
  if (launch.cover) covered = counters::nothing_covered(*launch.program);
}

Block::~Block() = default;

Dim3 Block::index_of(std::uint64_t linear) const {
  const Dim3& grid = launch_->grid;
  return {static_cast<unsigned>(linear % grid.x), static_cast<unsigned>(linear / grid.x % grid.y),
          static_cast<unsigned>(linear / grid.x / grid.y)};
}

void Block::start(std::uint64_t linear) {
  linear_ = linear;
  index_ = index_of(linear);
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    const unsigned first = warp * kLanes;
    const unsigned count = std::min(threads_ - first, kLanes);
    warps_[warp]->start(count == kLanes ? kAllLanes : (Mask{1} << count) - 1);
  }
  std::fill(shared_shadow_.begin(), shared_shadow_.end(), std::byte{0});
  races_.start(static_cast<std::uint32_t>(linear));
  in_flight_.start(shared_data_.size());
  if (launch_->digest) digest_.start(warps_.size());
  async_copies_->start(warps_.size());
  mbarriers_.clear();
  barriers_ = {};
  findings.clear();
  races_met_.clear();
  polls_.clear();
  tracing_ = false;
  printed.clear();
  writer.reset();
  if (launch_->counters != nullptr) counts = launch_->counters->none();
  faulted_ = false;
  turn_ = 0;
}

/// Between barriers any order of the warps is as good as another; the seed chooses.
void Block::shuffle_warps() {
  Schedule schedule(launch_->schedule_seed, linear_ << 32 ^ ++turn_);
  for (std::size_t i = order_.size(); i > 1; --i) {
    std::swap(order_[i - 1], order_[schedule.below(i)]);
  }
}

Block::State Block::run(std::uint64_t quantum) {
  shuffle_warps();
  bool progress = false;
  for (const unsigned index : order_) {
    Warp& warp = *warps_[index];
    if (!warp.runnable()) continue;
    progress = true;
    warp.run(quantum);
    if (faulted_) return State::faulted;
  }
  const bool finished =
      std::all_of(warps_.begin(), warps_.end(), [](const auto& warp) { return warp->finished(); });
  if (finished) return State::finished;
  if (!progress) {
    const Block* const blocks[] = {this};
    add_finding(diagnose_hang(blocks));
    faulted_ = true;
    return State::faulted;
  }
  return State::running;
}

Dim3 Block::thread(unsigned warp, unsigned lane) const {
  const unsigned linear = warp * kLanes + lane;
  const Dim3& block = launch_->block;
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

void Block::arrive(unsigned barrier, std::uint32_t threads, std::uint32_t expected,
                   std::uint32_t holds) {
  Barrier& state = barriers_[barrier];
  if (state.arrived == 0) state.holds = 0;
  state.expected = expected;
  state.arrived += threads;
  state.holds += holds;
  if (state.arrived < state.expected) return;
  state.last_arrived = std::exchange(state.arrived, 0);
  state.last_holds = state.holds;
  races_.complete(barrier);
  for (const auto& warp : warps_) warp->release(barrier);
}

void Block::add_finding(Finding finding) { add_if_new(findings, std::move(finding)); }

std::size_t Block::add_race(const RacingOps& ops, Finding finding) {
  return races_met_.emplace_back(ops, add_if_new(findings, std::move(finding))).second;
}

bool Block::met_again(const RacingOps& ops) {
  const auto known = std::find_if(races_met_.begin(), races_met_.end(),
                                  [&](const auto& met) { return met.first == ops; });
  if (known == races_met_.end()) return false;
  ++findings[known->second].count;
  return true;
}

std::uint64_t Block::fingerprint() const {
  Fingerprint state;
  for (const auto& warp : warps_) state.add(warp->fingerprint());
  for (const Barrier& barrier : barriers_) state.add(barrier.arrived);
  return state.value();
}

/// The last look of the same lanes at the same place counts.
void Block::note_poll(Poll poll) {
  const auto known = std::find_if(polls_.begin(), polls_.end(), [&](const Poll& earlier) {
    return earlier.warp == poll.warp && earlier.op == poll.op && earlier.lanes == poll.lanes;
  });
  if (known != polls_.end()) {
    *known = std::move(poll);
  } else {
    polls_.push_back(std::move(poll));
  }
}

std::uint64_t Block::executed() const {
  std::uint64_t sum = 0;
  for (const auto& warp : warps_) sum += warp->executed();
  return sum;
}

}  // namespace warpcheck::machine

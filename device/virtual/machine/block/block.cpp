#include "device/virtual/machine/block/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/fingerprint.hpp"
#include "device/virtual/machine/block/async_copies.hpp"
#include "device/virtual/machine/block/bulk_stores.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/block/diagnose_hang.hpp"
#include "device/virtual/machine/block/warpgroup_products.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/family/grid_family.hpp"

namespace warpcheck::machine {
namespace {

const std::string kDynamicShared = "dynamic shared memory";

constexpr std::uint64_t kBudgetAfterFinding = std::uint64_t{1} << 20;  // warp instructions

std::size_t shared_bytes(const LaunchContext& launch) {
  return launch.program->dynamic_shared + launch.dynamic_shared_bytes;
}

unsigned threads_of(const LaunchContext& launch) {
  return launch.block.x * launch.block.y * launch.block.z;
}

}  // namespace

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

std::vector<Container> shared_containers(const LaunchContext& launch, Bytes shared) {
  std::vector<Container> containers;
  const auto add = [&](std::uint64_t begin, std::size_t size, const std::string& name,
                       std::size_t alignment) {
    containers.push_back({{shared.data + begin, shared.shadow + begin, size},
                          begin,
                          0,
                          nullptr,
                          &name,
                          Space::shared,
                          begin,
                          alignment});
  };
  for (const PlacedVariable& variable : launch.kernel->shared) {
    add(variable.address, variable.bytes, variable.name, variable.alignment);
  }
  // Without static variables, dynamic shared memory begins at the start of the block's shared
  // memory.
  add(launch.program->dynamic_shared, launch.dynamic_shared_bytes, kDynamicShared,
      launch.kernel->shared.empty() ? kAnyAlignment : launch.program->dynamic_alignment);
  return containers;
}

Block::Block(const LaunchContext& launch)
    : launch_(&launch),
      loops_(launch.observer != nullptr ? &launch.observer->loops() : &unobserved_loops()),
      observer_(launch.observer != nullptr ? launch.observer->make_block_observer() : nullptr),
      threads_(threads_of(launch)),
      races_(threads_of(launch), launch.look_for_races ? shared_bytes(launch) : 0,
             launch.kernel->shared_unit),
      async_copies_(std::make_unique<AsyncCopies>()),
      bulk_stores_(std::make_unique<BulkStores>()),
      warpgroup_products_(std::make_unique<WarpgroupProducts>()) {
  for (unsigned warp = 0; warp * kLanes < threads_; ++warp) {
    warps_.push_back(std::make_unique<Warp>(*this, warp, *launch.kernel));
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      indices_.push_back(place_in_extent(launch.block, warp * kLanes + lane));
    }
  }
  order_.resize(warps_.size());
  shared_data_.resize(shared_bytes(launch));
  shared_shadow_.resize(shared_bytes(launch));
  shared_containers_ = machine::shared_containers(launch, shared());
}

Block::~Block() = default;

ThreadPlace Block::place_in(std::uint32_t block, unsigned warp, unsigned lane) const {
  const Grid& grid = launch_->family->grid_of(block);
  return {place_in_extent(grid.extent, block - grid.first_block),
          place_in_extent(grid.block, warp * kLanes + lane)};
}

void Block::start(std::uint64_t linear) {
  linear_ = linear;
  index_ = place_in_extent(launch_->grid, linear);
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    const unsigned first = warp * kLanes;
    const unsigned count = std::min(threads_ - first, kLanes);
    warps_[warp]->start(count == kLanes ? kAllLanes : (Mask{1} << count) - 1);
  }
  std::iota(order_.begin(), order_.end(), 0U);
  std::fill(shared_shadow_.begin(), shared_shadow_.end(), std::byte{0});
  // Cooperative groups rely on zeros in their part of the system's memory from sm_80 on (CUDA
  // Toolkit 13, cooperative_groups.h, thread_block).
  const auto reserved = static_cast<std::ptrdiff_t>(launch_->program->reserved_shared);
  std::fill_n(shared_data_.begin(), reserved, std::byte{0});
  std::fill_n(shared_shadow_.begin(), reserved, std::byte{0xff});
  races_.start(number(), launch_->before, launch_->first_block);
  copy_tracker_.start(shared_data_.size(), number());
  if (launch_->digest) digest_.start(warps_.size());
  async_copies_->start(warps_.size());
  bulk_stores_->start(warps_.size());
  warpgroup_products_->start(warps_.size());
  proxy_writes_.start(shared_data_.size(),
                      launch_->look_for_races && launch_->kernel->reads_by_async_proxy);
  mbarriers_.clear();
  barriers_ = {};
  has_crowded_barrier_ = false;
  exited_ = 0;
  exited_note_.reset();
  findings.clear();
  unsupported.reset();
  reported_races_.clear();
  notes_.clear();
  polls_.clear();
  tracing_ = false;
  printed.clear();
  unprinted_bytes = 0;
  writer.reset();
  faulted_ = false;
  shortened_budget_ = ~std::uint64_t{0};
  turn_ = 0;
  cluster_.reset();
}

void Block::join(std::shared_ptr<Cluster> cluster) {
  cluster_ = std::move(cluster);
  races_.clocks().join_cluster(cluster_->block(0)->number());
}

/// Orders the warps by the seed, because CUDA leaves their order between barriers open.
void Block::shuffle_warps() {
  const std::uint64_t seed = launch_->schedule_seed;
  Schedule schedule(seed & ~kOppositeOrder, linear_ << 32 ^ ++turn_);
  for (std::size_t i = order_.size(); i > 1; --i) {
    std::swap(order_[i - 1], order_[schedule.below(i)]);
  }
  if ((seed & kOppositeOrder) != 0) std::reverse(order_.begin(), order_.end());
}

/// A hash that is the same for eight turns of a warp.
std::uint64_t Block::phase(unsigned warp) const {
  return mixed(linear_ << 32 ^ turn_ / 8, warp + 1);
}

std::uint64_t Block::short_turn(unsigned warp) const {
  constexpr std::size_t kMost = 6;  // up to 2^5 instructions
  const std::uint64_t seed = launch_->schedule_seed;
  const std::size_t most = 1 + Schedule(seed, phase(warp)).below(kMost);
  return std::uint64_t{1} << Schedule(seed, mixed(phase(warp), turn_)).below(most);
}

LaneOrder Block::lanes_of_phase(unsigned warp) const {
  return {launch_->schedule_seed, phase(warp)};
}

Block::State Block::run(std::uint64_t quantum, std::uint64_t allowed) {
  shuffle_warps();
  bool progress = false;
  const std::uint64_t done = work();
  const std::uint64_t budget = std::min(launch_->budget, shortened_budget_);
  allowed_ = std::min(allowed, budget - std::min(done, budget));
  for (const unsigned index : order_) {
    Warp& warp = *warps_[index];
    if (!warp.runnable()) continue;
    progress = true;
    const std::uint64_t before = warp.work();
    warp.run(quantum);
    if (faulted_) return State::faulted;
    allowed_ -= std::min(allowed_, warp.work() - before);
  }
  const bool finished =
      std::all_of(warps_.begin(), warps_.end(), [](const auto& warp) { return warp->finished(); });
  if (finished) {
    if (cluster_ != nullptr) cluster_->end(*this);
    return State::finished;
  }
  if (!progress && cluster_ == nullptr) {
    const Block* const blocks[] = {this};
    add_finding(diagnose_hang(blocks));
    faulted_ = true;
    return State::faulted;
  }
  return State::running;
}

device::Unsupported unfinished_launch(const std::string& reached, SourcePlace place) {
  return {"a long launch", fmt::format("it was not executed to its end: {}, its budget", reached),
          "", std::move(place), UserOption::instructions};
}

void Block::stop_beyond_limit(device::Unsupported what) {
  unsupported = std::move(what);
  faulted_ = true;
}

void Block::print(std::string_view text) {
  const std::size_t room =
      launch_->printed_bytes - std::min(launch_->printed_bytes, printed.size());
  printed += text.substr(0, room);
  unprinted_bytes += text.size() - std::min(room, text.size());
}

void Block::shorten_budget() {
  shortened_budget_ = std::min(shortened_budget_, work() + kBudgetAfterFinding);
}

void Block::report_budget(const FunctionCode& function, const Op& op, const ThreadPlace& thread) {
  if (shortened_budget_ < launch_->budget) {
    stop_beyond_limit({"a loop after a finding",
                       fmt::format("the launch was still running {} warp instructions after a "
                                   "finding, which may have made a loop endless",
                                   kBudgetAfterFinding),
                       "", source_place(*launch_->program, function, op)});
    return;
  }
  if (launch_->may_be_slow) {
    stop_beyond_limit(
        unfinished_launch(fmt::format("thread {} of block {} was here after {} warp instructions",
                                      triple(thread.thread), triple(thread.block), launch_->budget),
                          source_place(*launch_->program, function, op)));
    return;
  }
  Finding finding;
  finding.kind = FindingClass::timeout;
  finding.budget = UsedBudget{.instructions = launch_->budget};
  finding.option = UserOption::instructions;
  finding.source = source_place(*launch_->program, function, op);
  finding.thread = thread;
  add_finding(std::move(finding));
  faulted_ = true;
}

void Block::add_finding(Finding finding) { add_if_new(findings, std::move(finding)); }

std::size_t Block::add_race(const RacingOps& ops, Finding finding) {
  return reported_races_.emplace_back(ops, add_if_new(findings, std::move(finding))).second;
}

bool Block::is_repeated_race(const RacingOps& ops, std::uint64_t count) {
  const auto known = std::find_if(reported_races_.begin(), reported_races_.end(),
                                  [&](const auto& met) { return met.first == ops; });
  if (known == reported_races_.end()) return false;
  findings[known->second].count += count;
  return true;
}

bool Block::is_repeated_note(const Op& op) {
  const auto known = std::find_if(notes_.begin(), notes_.end(),
                                  [&](const auto& note) { return note.first == &op; });
  if (known == notes_.end()) return false;
  ++findings[known->second].count;
  return true;
}

void Block::add_note(const Op& op, Finding finding) {
  notes_.emplace_back(&op, add_if_new(findings, std::move(finding)));
}

std::uint64_t Block::fingerprint() const {
  Fingerprint state;
  for (const auto& warp : warps_) state.add(warp->fingerprint());
  for (const Barrier& barrier : barriers_) {
    state.add(std::uint64_t{barrier.arrived} << 32 | barrier.holds);
    state.add(std::uint64_t{barrier.last_arrived} << 32 | barrier.last_holds);
  }
  return state.value();
}

std::uint64_t Block::sample() const {
  Fingerprint state;
  for (const auto& warp : warps_) warp->add_sample(state);
  for (const Barrier& barrier : barriers_) state.add(barrier.arrived);
  return state.value();
}

/// Replaces the last poll of the same lanes at the same op.
void Block::note_poll(Poll poll) {
  const auto known = std::find_if(polls_.begin(), polls_.end(), [&](const Poll& earlier) {
    return earlier.warp == poll.warp && earlier.op == poll.op && earlier.call == poll.call &&
           earlier.lanes == poll.lanes;
  });
  if (known != polls_.end()) {
    *known = std::move(poll);
  } else {
    polls_.push_back(std::move(poll));
  }
}

std::uint64_t Block::work() const {
  std::uint64_t sum = 0;
  for (const auto& warp : warps_) sum += warp->work();
  return sum;
}

std::uint64_t Block::executed() const {
  std::uint64_t sum = 0;
  for (const auto& warp : warps_) sum += warp->executed();
  return sum;
}

}  // namespace warpcheck::machine

#include "device/virtual/family_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "device/virtual/machine/core/source_place.hpp"

namespace warpcheck::device {
namespace {

/// Limit of the blocks of all grids together.
constexpr std::uint64_t kMostFamilyBlocks = std::uint64_t{1} << 31;

std::uint64_t count_of(const Dim3& extent) { return std::uint64_t{extent.x} * extent.y * extent.z; }

bool is_tail(const machine::DeviceLaunch& launch) {
  return launch.stream == machine::kStreamTailLaunch;
}

/// Adds blocks that run after the blocks of all ranges.
void append_range(std::vector<checks::BlockRange>& ranges, const checks::BlockRange& added) {
  if (!ranges.empty() && ranges.back().end == added.begin) {
    ranges.back().end = added.end;
  } else {
    ranges.push_back(added);
  }
}

}  // namespace

FamilyRun::FamilyRun(const VirtualOptions& options, unsigned host_threads,
                     std::size_t pending_launches, SetLimits set_limits,
                     machine::LaunchContext& host)
    : options_(options),
      host_threads_(host_threads),
      set_limits_(std::move(set_limits)),
      family_({.kernel = host.kernel, .extent = host.grid, .block = host.block}, pending_launches),
      next_block_(count_of(host.grid)) {
  host.family = &family_;
}

machine::GridResult FamilyRun::run_launched(const machine::LaunchContext& host,
                                            machine::GridResult first) {
  total_ = std::move(first);
  complete(host, 0);
  return std::move(total_);
}

void FamilyRun::complete(const machine::LaunchContext& context, std::size_t number) {
  for (const std::uint64_t address : family_.take_buffers()) {
    context.memory->free_stack_block(*context.memory->near(address));
  }
  if (std::vector<machine::DeviceLaunch> launches = family_.take_launches(); !launches.empty()) {
    run_launches(context, number, std::move(launches));
  }
}

/// Runs the grids that threads of a grid launched. A grid is complete when all grids that its
/// threads launched are complete. The grids of the tail stream begin then, one after another. Grids
/// that a block launches in one stream run one after another, and after the grids that the stream
/// waits for.
void FamilyRun::run_launches(const machine::LaunchContext& parent, std::size_t parent_number,
                             std::vector<machine::DeviceLaunch> launches) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, Ranges> streams;
  std::map<std::uint64_t, Ranges> events;
  std::stable_partition(launches.begin(), launches.end(),
                        [](const machine::DeviceLaunch& launch) { return !is_tail(launch); });
  for (const machine::DeviceLaunch& launch : launches) {
    if (!goes_on()) return;
    Ranges& ended = streams[{launch.by_block, launch.stream}];
    if (launch.kind == machine::DeviceLaunch::Kind::record) {
      events[launch.event] = ended;
      continue;
    }
    if (launch.kind == machine::DeviceLaunch::Kind::wait) {
      for (const checks::BlockRange& range : events[launch.event]) append_range(ended, range);
      continue;
    }
    const auto first = static_cast<std::uint32_t>(next_block_);
    if (is_tail(launch)) {
      run_child(parent, parent_number, launch, {{parent.first_block, first}});
    } else if (launch.stream == machine::kStreamFireAndForget) {
      run_child(parent, parent_number, launch, {});
    } else {
      run_child(parent, parent_number, launch, ended);
      append_range(ended, {first, static_cast<std::uint32_t>(next_block_)});
    }
  }
}

void FamilyRun::run_child(const machine::LaunchContext& parent, std::size_t parent_number,
                          const machine::DeviceLaunch& launch, const Ranges& ended) {
  checks::GridClock before{launch.clock, ended};
  if (parent.before != nullptr) {
    before.ended.insert(before.ended.end(), parent.before->ended.begin(),
                        parent.before->ended.end());
  }
  machine::LaunchContext context = parent;
  context.kernel = launch.grid.kernel;
  context.grid = launch.grid.extent;
  context.block = launch.grid.block;
  context.cluster = machine::declared_cluster(*launch.grid.kernel);
  context.dynamic_shared_bytes = launch.grid.shared_bytes;
  context.parameters = launch.parameters;
  context.parameters_shadow = launch.parameters_shadow;
  context.first_block = static_cast<std::uint32_t>(next_block_);
  context.before = &before;
  if (!fits(context)) return;
  next_block_ += count_of(context.grid);
  const std::size_t number = family_.add(
      {launch.grid.kernel, launch.grid.extent, launch.grid.block, context.first_block,
       parent_number, family_.grids()[parent_number].depth + 1, launch.source, launch.by_thread});
  add(machine::run_grid(context, host_threads_), number);
  complete(context, number);
}

/// Sets the limits of a grid. Returns false if it exceeds a limit of the device.
bool FamilyRun::fits(machine::LaunchContext& context) {
  set_limits_(context);
  context.grid_budget -= std::min(context.grid_budget, total_.warp_instructions);
  context.printed_bytes -= std::min<std::uint64_t>(context.printed_bytes, total_.printed.size());
  total_.unsupported = machine::exceeded_device_limit(context, options_.limits);
  if (!total_.unsupported && next_block_ + count_of(context.grid) > kMostFamilyBlocks) {
    total_.unsupported = Unsupported{
        "launches by threads", "the grids of a launch have more than 2^31 blocks", "",
        machine::source_place(*context.program, *context.kernel, context.kernel->ops.front())};
  }
  total_.faulted = total_.faulted || total_.unsupported.has_value();
  return !total_.faulted;
}

void FamilyRun::add(machine::GridResult result, std::size_t number) {
  total_.unsupported = std::move(result.unsupported);
  total_.printed += result.printed;
  total_.unprinted_bytes += result.unprinted_bytes;
  if (result.writer) total_.writer = std::move(result.writer);
  total_.warp_instructions += result.warp_instructions;
  total_.access_digest += result.access_digest;
  total_.faulted = total_.faulted || result.faulted;
  total_.stopped = total_.stopped || result.stopped;
  if (result.findings.empty()) return;
  device_grids_.push_back(
      {family_.grids()[number].kernel->source->name, sites_of(number), std::move(result.findings)});
}

std::vector<LaunchSite> FamilyRun::sites_of(std::size_t number) const {
  std::vector<LaunchSite> sites;
  const std::vector<machine::Grid>& grids = family_.grids();
  for (const machine::Grid* at = &grids[number]; at->parent; at = &grids[*at->parent]) {
    sites.push_back({grids[*at->parent].kernel->source->name, at->source, at->by_thread});
  }
  return sites;
}

}  // namespace warpcheck::device

#include "device/virtual/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/hash.hpp"
#include "device/virtual/family_run.hpp"
#include "device/virtual/isa/declared_sizes.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/grid/dispatch.hpp"
#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::device {
namespace {

constexpr std::uint64_t kDefaultBudget = std::uint64_t{1} << 28;  // warp instructions
// Added to the default, for large grids of short blocks.
constexpr std::uint64_t kBudgetPerWarp = 512;

void set_limits(const Limits& limits, std::uint64_t budget, machine::LaunchContext& context) {
  const auto count = [](const Dim3& extent) {
    return std::uint64_t{extent.x} * extent.y * extent.z;
  };
  const std::uint64_t warps = (count(context.block) + machine::kLanes - 1) / machine::kLanes;
  context.budget = limits.instructions != 0 ? limits.instructions
                   : budget != 0            ? budget
                                            : kDefaultBudget;
  context.grid_budget =
      context.budget + kBudgetPerWarp * warps * std::min(count(context.grid), limits.blocks);
  context.printed_bytes = limits.printed_bytes;
  context.memory_bytes = limits.memory_bytes;
  context.block_bytes =
      limits.memory_bytes / std::max<std::uint64_t>(machine::most_residents(context), 1);
}

/// The accesses to memory that outlives the launch and that the program itself uses.
std::vector<AccessedRange> accesses_of(const KernelLaunch& launch,
                                       const checks::GlobalRaces& races) {
  std::vector<AccessedRange> accesses;
  for (const std::uint64_t address : races.accessed()) {
    const machine::Allocation* const block = launch.memory->near(address);
    if (block == nullptr || block->address != address || !launch.memory->outlives_launch(*block)) {
      continue;
    }
    const std::size_t first = accesses.size();
    races.add_early_accesses(address, accesses);
    for (std::size_t i = first; i < accesses.size(); ++i) {
      accesses[i].place =
          std::make_shared<SourcePlace>(machine::source_place(*launch.program, accesses[i].op));
    }
    races.add_accesses(address, block->extent.bytes(), accesses);
  }
  return accesses;
}

}  // namespace

LaunchEnd run_kernel(const VirtualOptions& options, unsigned host_threads, KernelLaunch launch) {
  const machine::Program& program = *launch.program;
  const semantics::TensorModel tensor_model = semantics::tensor_model(
      options.mma_arch != 0 ? options.mma_arch : isa::architecture_of(program.module.target));
  checks::GlobalRaces races;
  if (launch.programmatic || !launch.shared.empty()) races.track_early_accesses();
  if (machine::may_launch_grids(program)) races.expect_several_grids();
  machine::LaunchContext context;
  context.program = &program;
  context.kernel = launch.kernel;
  context.memory = launch.memory;
  context.textures = launch.textures;
  if (options.gpu) context.gpu = &*options.gpu;
  context.grid = launch.grid;
  context.block = launch.block;
  context.cluster = launch.cluster ? *launch.cluster : machine::declared_cluster(*launch.kernel);
  context.dynamic_shared_bytes = launch.shared_bytes;
  context.parameters = std::move(launch.parameters);
  context.parameters_shadow.assign(context.parameters.size(), std::byte{0xff});
  context.schedule_seed = launch.schedule_seed;
  context.interleave = launch.interleave;
  context.any_lanes_first =
      launch.interleave && !machine::depends_on_convergence(program, *launch.kernel);
  context.splits_lanes =
      launch.splits_lanes && launch.schedule_seed != 0 && mixed(launch.schedule_seed) % 2 != 0;
  context.look_for_races = options.races;
  context.weak_volatile = options.weak_volatile;
  context.global_races = &races;
  context.tensor_model = &tensor_model;
  context.keep_going = launch.keep_going;
  context.may_be_slow = launch.may_be_slow;
  context.digest = launch.digest;
  context.observer = launch.observer;
  context.stop = launch.stop;
  const auto set_own_limits = [&](machine::LaunchContext& own) {
    set_limits(options.limits, launch.instruction_budget, own);
  };
  set_own_limits(context);
  if (launch.kernel->cooperative) context.grid_barrier = launch.memory->clear_grid_barrier();

  LaunchEnd end;
  if (auto exceeded = machine::exceeded_limit(context)) {
    end.exceeded = exceeded->limit;
    end.refused = launch_failure(std::move(exceeded->message));
  }
  if (end.refused || launch.limits_only) return end;
  end.unsupported = machine::exceeded_device_limit(context, options.limits);
  if (end.unsupported) {
    end.grid.faulted = true;
    return end;
  }
  FamilyRun family(options, host_threads, launch.pending_launches, set_own_limits, context);
  end.grid = family.run_launched(context, machine::run_grid(context, host_threads));
  end.device_grids = family.take_device_grids();
  end.unsupported = std::move(end.grid.unsupported);
  end.blocks_raced = races.blocks_raced();
  if (launch.footprint) end.accesses = accesses_of(launch, races);
  end.early = early_accesses(program, races, launch.shared);
  if (end.grid.unprinted_bytes != 0) {
    end.grid.printed += fmt::format(
        "\n... and {} more bytes: {} bytes of a launch are kept; `--limit printed=N` changes it\n",
        end.grid.unprinted_bytes, options.limits.printed_bytes);
  }
  return end;
}

std::string refusal(const machine::FunctionCode* kernel, const std::string& entry) {
  return kernel == nullptr ? fmt::format("the module has no kernel {}", entry) : kernel->refused;
}

Unsupported no_memory() { return {"memory", "the host has no memory for the launch", "", {}}; }

Finding launch_failure(std::string message) {
  Finding finding;
  finding.kind = FindingClass::launch_failure;
  finding.message = std::move(message);
  return finding;
}

}  // namespace warpcheck::device

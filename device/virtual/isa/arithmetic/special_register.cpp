#include "device/virtual/isa/arithmetic/special_register.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::Op;
using machine::Warp;

struct Special {
  std::string_view name;
  std::uint64_t (*warp_value)(const Warp& warp);  // null if the lanes have different values
  std::uint64_t (*lane_value)(const Warp& warp, unsigned lane) = nullptr;
};

const Dim3& thread_of(const Warp& warp, unsigned lane) {
  return warp.block().thread(warp.index(), lane);
}
const machine::LaunchContext& launch_of(const Warp& warp) { return warp.block().launch(); }

/// The place of a block in its cluster, and of the cluster in the grid.
struct ClusterPlace {
  struct {
    std::uint64_t x, y, z;
  } number, clusters, block;
};

ClusterPlace place_of(const Warp& warp) {
  const Dim3& grid = launch_of(warp).grid;
  const Dim3& size = launch_of(warp).cluster;
  const Dim3 block = warp.block().index();
  return {{block.x / size.x, block.y / size.y, block.z / size.z},
          {grid.x / size.x, grid.y / size.y, grid.z / size.z},
          {block.x % size.x, block.y % size.y, block.z % size.z}};
}

std::uint64_t rank_of(const Warp& warp) {
  const Dim3& size = launch_of(warp).cluster;
  const auto block = place_of(warp).block;
  return block.x + size.x * (block.y + size.y * block.z);
}

/// The special registers (PTX ISA 10). Clocks count the instructions of the warp: they are
/// monotonic, and the same in every run.
constexpr std::array kSpecials = {
    Special{"tid.x", nullptr, [](const Warp& w, unsigned l) { return std::uint64_t{thread_of(w, l).x}; }},
    Special{"tid.y", nullptr, [](const Warp& w, unsigned l) { return std::uint64_t{thread_of(w, l).y}; }},
    Special{"tid.z", nullptr, [](const Warp& w, unsigned l) { return std::uint64_t{thread_of(w, l).z}; }},
    Special{"ntid.x", [](const Warp& w) { return std::uint64_t{launch_of(w).block.x}; }},
    Special{"ntid.y", [](const Warp& w) { return std::uint64_t{launch_of(w).block.y}; }},
    Special{"ntid.z", [](const Warp& w) { return std::uint64_t{launch_of(w).block.z}; }},
    Special{"ctaid.x", [](const Warp& w) { return std::uint64_t{w.block().index().x}; }},
    Special{"ctaid.y", [](const Warp& w) { return std::uint64_t{w.block().index().y}; }},
    Special{"ctaid.z", [](const Warp& w) { return std::uint64_t{w.block().index().z}; }},
    Special{"nctaid.x", [](const Warp& w) { return std::uint64_t{launch_of(w).grid.x}; }},
    Special{"nctaid.y", [](const Warp& w) { return std::uint64_t{launch_of(w).grid.y}; }},
    Special{"nctaid.z", [](const Warp& w) { return std::uint64_t{launch_of(w).grid.z}; }},
    Special{"laneid", nullptr, [](const Warp&, unsigned l) { return std::uint64_t{l}; }},
    Special{"warpid", [](const Warp& w) { return std::uint64_t{w.index()}; }},
    Special{"nwarpid", [](const Warp& w) {
              return std::uint64_t{(w.block().threads() + kLanes - 1) / kLanes};
            }},
    Special{"lanemask_eq", nullptr, [](const Warp&, unsigned l) { return std::uint64_t{1} << l; }},
    Special{"lanemask_lt", nullptr, [](const Warp&, unsigned l) { return (std::uint64_t{1} << l) - 1; }},
    Special{"lanemask_le", nullptr, [](const Warp&, unsigned l) { return (std::uint64_t{2} << l) - 1; }},
    Special{"lanemask_gt", nullptr, [](const Warp&, unsigned l) { return 0xffff'ffff & ~((std::uint64_t{2} << l) - 1); }},
    Special{"lanemask_ge", nullptr, [](const Warp&, unsigned l) { return 0xffff'ffff & ~((std::uint64_t{1} << l) - 1); }},
    Special{"smid", [](const Warp&) { return std::uint64_t{0}; }},
    Special{"nsmid", [](const Warp&) { return std::uint64_t{1}; }},
    Special{"gridid", [](const Warp&) { return std::uint64_t{1}; }},
    Special{"clock", [](const Warp& w) { return w.executed(); }},
    Special{"clock_hi", [](const Warp& w) { return w.executed() >> 32; }},
    Special{"clock64", [](const Warp& w) { return w.executed(); }},
    Special{"globaltimer", [](const Warp& w) { return w.executed(); }},
    Special{"globaltimer_lo", [](const Warp& w) { return w.executed(); }},
    Special{"envreg1", [](const Warp& w) { return launch_of(w).grid_barrier >> 32; }},
    Special{"envreg2", [](const Warp& w) { return launch_of(w).grid_barrier; }},
    Special{"globaltimer_hi", [](const Warp& w) { return w.executed() >> 32; }},
    Special{"reserved_smem_offset_begin", [](const Warp&) { return std::uint64_t{0}; }},
    Special{"reserved_smem_offset_end",
            [](const Warp&) { return machine::kReservedShared; }},
    Special{"reserved_smem_offset_cap",
            [](const Warp&) { return machine::kReservedShared; }},
    Special{"reserved_smem_offset_0", [](const Warp&) { return std::uint64_t{0}; }},
    Special{"reserved_smem_offset_1",
            [](const Warp&) { return machine::kReservedForGroups; }},
    Special{"aggr_smem_size", [](const Warp& w) {
              return std::uint64_t{launch_of(w).kernel->shared_bytes +
                                   launch_of(w).dynamic_shared_bytes} +
                     machine::kReservedShared;
            }},
    Special{"clusterid.x", [](const Warp& w) { return place_of(w).number.x; }},
    Special{"clusterid.y", [](const Warp& w) { return place_of(w).number.y; }},
    Special{"clusterid.z", [](const Warp& w) { return place_of(w).number.z; }},
    Special{"nclusterid.x", [](const Warp& w) { return place_of(w).clusters.x; }},
    Special{"nclusterid.y", [](const Warp& w) { return place_of(w).clusters.y; }},
    Special{"nclusterid.z", [](const Warp& w) { return place_of(w).clusters.z; }},
    Special{"cluster_ctaid.x", [](const Warp& w) { return place_of(w).block.x; }},
    Special{"cluster_ctaid.y", [](const Warp& w) { return place_of(w).block.y; }},
    Special{"cluster_ctaid.z", [](const Warp& w) { return place_of(w).block.z; }},
    Special{"cluster_nctaid.x", [](const Warp& w) { return std::uint64_t{launch_of(w).cluster.x}; }},
    Special{"cluster_nctaid.y", [](const Warp& w) { return std::uint64_t{launch_of(w).cluster.y}; }},
    Special{"cluster_nctaid.z", [](const Warp& w) { return std::uint64_t{launch_of(w).cluster.z}; }},
    Special{"cluster_ctarank", [](const Warp& w) { return rank_of(w); }},
    Special{"cluster_nctarank", [](const Warp& w) {
              return std::uint64_t{machine::blocks_of_cluster(launch_of(w))};
            }},
    Special{"is_explicit_cluster", [](const Warp& w) {
              return std::uint64_t{machine::blocks_of_cluster(launch_of(w)) > 1};
            }},
    // The launch is outside a graph (PTX ISA 10).
    Special{"current_graph_exec", [](const Warp&) { return std::uint64_t{0}; }},
    Special{"dynamic_smem_size", [](const Warp& w) {
              return std::uint64_t{launch_of(w).dynamic_shared_bytes};
            }},
    Special{"total_smem_size", [](const Warp& w) {
              return std::uint64_t{launch_of(w).kernel->shared_bytes +
                                   launch_of(w).dynamic_shared_bytes};
            }},
};

template <class T>
Flow special(Warp& warp, const Op& op) {
  const Special& special = kSpecials[static_cast<std::size_t>(op.immediate)];
  T values[kLanes];
  if (special.warp_value != nullptr) {
    std::fill_n(values, kLanes, static_cast<T>(special.warp_value(warp)));
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      values[lane] = static_cast<T>(special.lane_value(warp, lane));
    }
  }
  machine::write_lanes<T>(warp, op.operand[0], [&](unsigned lane) { return values[lane]; });
  warp.set_defined(op.operand[0], warp.active(), machine::kAllLanes);
  return Flow::next;
}

}  // namespace

void lower_special(Lowering& lowering, const ptx::SpecialRegister& reg) {
  const Type type = lowering.selection.type();
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    if (kSpecials[i].name != reg.name) continue;
    lowering.result.operand[0] = lowering.destination(lowering.instruction.operands[0], type);
    lowering.result.immediate = static_cast<std::int64_t>(i);
    // For a cooperative launch, the driver stores the address of the grid's barrier in these
    // registers (CUDA Toolkit, cooperative_groups/details/driver_abi.h).
    if (reg.name == "envreg1" || reg.name == "envreg2") {
      lowering.function.code().cooperative = true;
      lowering.function.code().communicates = true;
    }
    lowering.result.run = bits_of(type) == 64   ? special<std::uint64_t>
                          : bits_of(type) == 32 ? special<std::uint32_t>
                                                : special<std::uint16_t>;
    return;
  }
  throw DecodeError("the virtual device does not implement this special register (PTX ISA 10)");
}

}  // namespace warpcheck::isa

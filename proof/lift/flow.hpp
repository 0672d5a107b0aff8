// The basic blocks of a kernel, its loops, and the registers that are live at each block.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::proof {

using BlockNumber = std::size_t;

struct Edge {
  std::optional<BlockNumber> target;  // empty: the thread exits
  std::optional<ptx::Guard> guard;    // the edge is taken if this holds; empty: always
};

/// The threads that a barrier orders.
enum class Scope : std::uint8_t { warp, block };

/// Instructions [begin, end) without a branch, which ends a block, or a barrier, which ends it too.
struct BasicBlock {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<Edge> edges = {};
  std::vector<BlockNumber> predecessors = {};
  std::optional<std::size_t> barrier = {};       // the instruction
  std::optional<std::size_t> warp_barrier = {};  // the instruction
  std::set<unsigned> live = {};                  // registers that are read before they are written
  std::set<unsigned> written = {};
  std::set<BlockNumber> dominators = {};  // blocks on every way to it, itself included
  /// Every thread that reaches the block's immediate dominator reaches the block in the same
  /// iteration, unless a loop between them does not end.
  bool joins_all = false;

  /// True if a barrier ends the block that orders all threads of a block, or of a warp.
  [[nodiscard]] bool ends_at_barrier(Scope scope) const {
    return barrier || (scope == Scope::warp && warp_barrier);
  }
};

struct Loop {
  BlockNumber header = 0;
  std::set<BlockNumber> blocks;
  bool has_barrier = false;
  bool ends_threads = false;  // some of its blocks may end the thread
  bool has_warp_barrier = false;

  [[nodiscard]] bool contains_barrier(Scope scope) const {
    return has_barrier || (scope == Scope::warp && has_warp_barrier);
  }
};

struct Flow {
  std::vector<BasicBlock> blocks;
  std::vector<BlockNumber> order;  // reverse postorder of the blocks that are reachable
  std::vector<Loop> loops;         // inner loops precede the outer ones

  /// The loop of this header; empty if the block is none.
  [[nodiscard]] std::optional<std::size_t> loop_at(BlockNumber header) const;
  /// True if a thread that executes two instructions in the same iterations of all loops around
  /// both executes the first one before the second one.
  [[nodiscard]] bool is_earlier(BlockNumber first_block, std::size_t first,
                                BlockNumber second_block, std::size_t second) const;
  /// The loops that contain a block, the innermost first.
  [[nodiscard]] std::vector<std::size_t> loops_of(BlockNumber block) const;
};

/// Throws Unsupported for calls, indirect branches, and loops with several entries.
[[nodiscard]] Flow flow_of(const ptx::Function& kernel);

/// The registers that an instruction writes.
[[nodiscard]] std::vector<unsigned> registers_written(const ptx::Instruction& instruction);

}  // namespace warpcheck::proof

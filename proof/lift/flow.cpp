#include "proof/lift/flow.hpp"

#include <algorithm>
#include <functional>

#include "proof/poly/polynomial.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

using ptx::Instruction;
using ptx::analysis::has_mnemonic;
using ptx::analysis::has_modifier;

/// True if the first operand of an instruction is none that it writes. `bar.red` writes it.
bool writes_nothing(const Instruction& instruction) {
  if (has_mnemonic(instruction, {"bar", "barrier"})) return !has_modifier(instruction, "red");
  return has_mnemonic(instruction, {"st", "red", "bra", "ret", "exit", "membar", "fence",
                                    "prefetch", "trap", "cp"});
}

/// A barrier that all threads of a block reach.
bool is_block_barrier(const Instruction& instruction) {
  if (has_mnemonic(instruction, {"barrier"})) return !has_modifier(instruction, "cluster");
  return has_mnemonic(instruction, {"bar"}) && !has_modifier(instruction, "warp");
}

std::vector<unsigned> registers_read(const Instruction& instruction) {
  std::vector<unsigned> found;
  if (instruction.guard) found.push_back(instruction.guard->index);
  // A product of a warpgroup adds to the registers that it writes.
  const bool skips_first =
      !registers_written(instruction).empty() && !has_mnemonic(instruction, {"wgmma"});
  for (std::size_t i = skips_first ? 1 : 0; i < instruction.operands.size(); ++i) {
    const auto registers = ptx::analysis::registers_of(instruction.operands[i]);
    found.insert(found.end(), registers.begin(), registers.end());
  }
  return found;
}

bool ends_thread(const Instruction& instruction) {
  return has_mnemonic(instruction, {"ret", "exit", "trap"});
}

std::size_t target_of(const ptx::Function& kernel, const Instruction& branch) {
  if (const auto* label = ptx::analysis::operand<ptx::Label>(branch, 0)) {
    return kernel.labels[label->index].target;
  }
  throw Unsupported("the kernel has an indirect branch");
}

ptx::Guard negated(ptx::Guard guard) {
  guard.negated = !guard.negated;
  return guard;
}

/// A barrier that all lanes of a warp reach.
bool is_warp_barrier(const Instruction& instruction) {
  const auto* const lanes = ptx::analysis::operand<ptx::Integer>(instruction, 0);
  return has_mnemonic(instruction, {"bar"}) && has_modifier(instruction, "warp") &&
         !instruction.guard && lanes != nullptr &&
         static_cast<std::uint32_t>(lanes->bits) == ~std::uint32_t{0};
}

/// Instructions at which a block begins.
std::set<std::size_t> leaders(const ptx::Function& kernel) {
  std::set<std::size_t> found = {0};
  for (const ptx::LabelDeclaration& label : kernel.labels) found.insert(label.target);
  for (std::size_t i = 0; i < kernel.body.size(); ++i) {
    const Instruction& instruction = kernel.body[i];
    if (has_mnemonic(instruction, {"call", "brx"})) {
      throw Unsupported("the kernel calls a function or has an indirect branch");
    }
    if (has_mnemonic(instruction, {"bra"}) || ends_thread(instruction) ||
        is_block_barrier(instruction) || is_warp_barrier(instruction)) {
      found.insert(i + 1);
    }
  }
  std::erase_if(found, [&](std::size_t i) { return i >= kernel.body.size(); });
  return found;
}

void add_edges(const ptx::Function& kernel, const std::map<std::size_t, BlockNumber>& numbers,
               BasicBlock& block) {
  const auto at = [&](std::size_t instruction) -> std::optional<BlockNumber> {
    const auto found = numbers.find(instruction);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  };
  const Instruction& last = kernel.body[block.end - 1];
  const bool is_branch = has_mnemonic(last, {"bra"});
  if (is_block_barrier(last)) block.barrier = block.end - 1;
  if (is_warp_barrier(last)) block.warp_barrier = block.end - 1;
  if (!is_branch && !ends_thread(last)) {
    block.edges.push_back({at(block.end), std::nullopt});
    return;
  }
  const auto target = is_branch ? at(target_of(kernel, last)) : std::nullopt;
  block.edges.push_back({target, last.guard});
  if (last.guard) block.edges.push_back({at(block.end), negated(*last.guard)});
}

std::set<BlockNumber> intersection(const std::set<BlockNumber>& left,
                                   const std::set<BlockNumber>& right) {
  std::set<BlockNumber> both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::inserter(both, both.end()));
  return both;
}

void set_order(Flow& flow) {
  std::vector<bool> visited(flow.blocks.size(), false);
  std::vector<BlockNumber> post;
  const std::function<void(BlockNumber)> visit = [&](BlockNumber number) {
    visited[number] = true;
    for (const Edge& edge : flow.blocks[number].edges) {
      if (edge.target && !visited[*edge.target]) visit(*edge.target);
    }
    post.push_back(number);
  };
  visit(0);
  flow.order.assign(post.rbegin(), post.rend());
  for (const BlockNumber number : flow.order) {
    for (const Edge& edge : flow.blocks[number].edges) {
      if (edge.target) flow.blocks[*edge.target].predecessors.push_back(number);
    }
  }
}

using Sets = std::map<BlockNumber, std::set<BlockNumber>>;

/// For each block, those that are on every way to it from block 0, itself included.
Sets dominators(const Flow& flow) {
  const std::set<BlockNumber> everything(flow.order.begin(), flow.order.end());
  Sets found;
  for (const BlockNumber number : flow.order) found[number] = everything;
  found[0] = {0};
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockNumber number : flow.order) {
      if (number == 0) continue;
      std::set<BlockNumber> common = everything;
      for (const BlockNumber predecessor : flow.blocks[number].predecessors) {
        common = intersection(common, found[predecessor]);
      }
      common.insert(number);
      changed = changed || common != found[number];
      found[number] = std::move(common);
    }
  }
  return found;
}

/// True if a thread that reaches `from` may end, or begin the next iteration of a loop around
/// `block`, without reaching `block` before that.
bool may_miss(const Flow& flow, BlockNumber from, BlockNumber block) {
  std::set<BlockNumber> seen = {block, from};
  std::vector<BlockNumber> pending = {from};
  while (!pending.empty()) {
    const BlockNumber number = pending.back();
    pending.pop_back();
    for (const Edge& edge : flow.blocks[number].edges) {
      if (!edge.target) return true;
      const bool repeats = std::any_of(flow.loops.begin(), flow.loops.end(), [&](const Loop& loop) {
        return *edge.target == loop.header && block != loop.header && loop.blocks.contains(block) &&
               loop.blocks.contains(number);
      });
      if (repeats) return true;
      if (seen.insert(*edge.target).second) pending.push_back(*edge.target);
    }
  }
  return false;
}

void set_joins(Flow& flow, const Sets& dominating) {
  for (const BlockNumber number : flow.order) {
    std::optional<BlockNumber> nearest;  // the dominator that all others dominate
    for (const BlockNumber one : dominating.at(number)) {
      if (one == number) continue;
      if (!nearest || dominating.at(one).contains(*nearest)) nearest = one;
    }
    flow.blocks[number].joins_all = nearest && !may_miss(flow, *nearest, number);
  }
}

/// Adds the blocks from which `tail` is reached without passing the header.
void add_loop_blocks(const Flow& flow, BlockNumber tail, Loop& loop) {
  std::vector<BlockNumber> pending = {tail};
  while (!pending.empty()) {
    const BlockNumber number = pending.back();
    pending.pop_back();
    if (!loop.blocks.insert(number).second) continue;
    const auto& predecessors = flow.blocks[number].predecessors;
    pending.insert(pending.end(), predecessors.begin(), predecessors.end());
  }
}

void set_loops(Flow& flow, const Sets& dominating) {
  std::map<BlockNumber, std::size_t> position;
  for (std::size_t i = 0; i < flow.order.size(); ++i) position[flow.order[i]] = i;
  std::map<BlockNumber, Loop> loops;
  for (const BlockNumber tail : flow.order) {
    for (const Edge& edge : flow.blocks[tail].edges) {
      if (!edge.target || position[*edge.target] > position[tail]) continue;
      if (!dominating.at(tail).contains(*edge.target)) {
        throw Unsupported("a loop of the kernel has several entries");
      }
      Loop& loop = loops.emplace(*edge.target, Loop{*edge.target, {*edge.target}}).first->second;
      add_loop_blocks(flow, tail, loop);
    }
  }
  for (auto& [header, loop] : loops) {
    for (const BlockNumber number : loop.blocks) {
      const std::vector<Edge>& edges = flow.blocks[number].edges;
      loop.has_barrier = loop.has_barrier || flow.blocks[number].barrier;
      loop.has_warp_barrier = loop.has_warp_barrier || flow.blocks[number].warp_barrier;
      loop.ends_threads =
          loop.ends_threads ||
          std::any_of(edges.begin(), edges.end(), [](const Edge& edge) { return !edge.target; });
    }
    flow.loops.push_back(std::move(loop));
  }
  std::stable_sort(flow.loops.begin(), flow.loops.end(), [](const Loop& left, const Loop& right) {
    return left.blocks.size() < right.blocks.size();
  });
}

/// The registers that are live before a block, from those that are live after it. An instruction
/// with a guard may leave the registers that it writes as they are.
std::set<unsigned> live_before(const ptx::Function& kernel, const BasicBlock& block,
                               std::set<unsigned> live) {
  for (std::size_t i = block.end; i-- > block.begin;) {
    const Instruction& instruction = kernel.body[i];
    if (!instruction.guard) {
      for (const unsigned reg : registers_written(instruction)) live.erase(reg);
    }
    for (const unsigned reg : registers_read(instruction)) live.insert(reg);
  }
  return live;
}

void set_live_registers(const ptx::Function& kernel, Flow& flow) {
  for (const BlockNumber number : flow.order) {
    BasicBlock& block = flow.blocks[number];
    for (std::size_t i = block.begin; i < block.end; ++i) {
      for (const unsigned reg : registers_written(kernel.body[i])) block.written.insert(reg);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto number = flow.order.rbegin(); number != flow.order.rend(); ++number) {
      BasicBlock& block = flow.blocks[*number];
      std::set<unsigned> after;
      for (const Edge& edge : block.edges) {
        if (!edge.target) continue;
        const std::set<unsigned>& live = flow.blocks[*edge.target].live;
        after.insert(live.begin(), live.end());
      }
      std::set<unsigned> live = live_before(kernel, block, std::move(after));
      changed = changed || live != block.live;
      block.live = std::move(live);
    }
  }
}

}  // namespace

std::vector<unsigned> registers_written(const Instruction& instruction) {
  if (instruction.operands.empty() || writes_nothing(instruction)) return {};
  return ptx::analysis::written_registers(instruction.operands.front());
}

std::optional<std::size_t> Flow::loop_at(BlockNumber header) const {
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].header == header) return i;
  }
  return std::nullopt;
}

bool Flow::is_earlier(BlockNumber first_block, std::size_t first, BlockNumber second_block,
                      std::size_t second) const {
  if (first_block == second_block) return first < second;
  const auto around = std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) {
    return loop.blocks.contains(first_block) && loop.blocks.contains(second_block);
  });
  std::set<BlockNumber> seen = {second_block};
  std::vector<BlockNumber> pending = {second_block};
  while (!pending.empty()) {
    const BlockNumber number = pending.back();
    pending.pop_back();
    for (const Edge& edge : blocks[number].edges) {
      if (!edge.target) continue;
      const bool leaves = around != loops.end() && (*edge.target == around->header ||
                                                    !around->blocks.contains(*edge.target));
      if (leaves) continue;
      if (*edge.target == first_block) return false;
      if (seen.insert(*edge.target).second) pending.push_back(*edge.target);
    }
  }
  return true;
}

std::vector<std::size_t> Flow::loops_of(BlockNumber block) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].blocks.contains(block)) found.push_back(i);
  }
  return found;
}

Flow flow_of(const ptx::Function& kernel) {
  Flow flow;
  if (kernel.body.empty()) throw Unsupported("the kernel has no instructions");
  const std::set<std::size_t> begins = leaders(kernel);
  std::map<std::size_t, BlockNumber> numbers;
  for (const std::size_t begin : begins) numbers.emplace(begin, numbers.size());
  for (auto begin = begins.begin(); begin != begins.end(); ++begin) {
    const auto next = std::next(begin);
    flow.blocks.push_back({*begin, next == begins.end() ? kernel.body.size() : *next});
  }
  for (BasicBlock& block : flow.blocks) add_edges(kernel, numbers, block);
  set_order(flow);
  const Sets dominating = dominators(flow);
  set_loops(flow, dominating);
  set_joins(flow, dominating);
  for (const auto& [number, all] : dominating) flow.blocks[number].dominators = all;
  set_live_registers(kernel, flow);
  return flow;
}

}  // namespace warpcheck::proof

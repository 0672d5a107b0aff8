#include "device/virtual/counters/coverage.hpp"

#include <algorithm>
#include <bit>

#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::counters {
namespace {

using machine::FunctionCode;
using machine::Mask;
using machine::Op;
using machine::Successors;
using machine::Warp;

/// True if the op computes a predicate.
bool is_condition(const Op& op) {
  return op.bits[machine::kResult] == 1 && op.operand[machine::kResult] != machine::kNoSlot;
}

bool ends_block(const FunctionCode& code, const Op& op) {
  return op.successors != Successors::next || (&op != &code.ops.back() && (&op + 1)->leader);
}

void split(OpCoverage& sums, Mask lanes, Mask held) {
  const bool some = (lanes & held) != 0;
  const bool others = (lanes & ~held) != 0;
  sums.held += some ? 1 : 0;
  sums.failed += others ? 1 : 0;
  sums.both += some && others ? 1 : 0;
}

/// Records the targets that the active lanes of a warp take at a brx.idx.
void split_by_table(Covered& covered, std::uint32_t number, const Warp& warp, const Op& op) {
  const std::vector<std::uint32_t>& targets = op.detail->targets;
  const auto* const index = warp.lanes<std::uint32_t>(op.operand[machine::kTableIndex]);
  std::map<std::uint32_t, Mask> lanes;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0 || index[lane] >= targets.size()) continue;
    lanes[targets[index[lane]]] |= Mask{1} << lane;
  }
  for (const auto& [target, taken] : lanes) {
    OpCoverage& sums = covered.tables[{number, target}];
    ++sums.held;
    sums.both += taken != warp.active() ? 1 : 0;
  }
}

/// Adds the edges that leave the last op of a basic block.
class Edges {
 public:
  Edges(const FunctionCode& code, const Covered& covered, device::Coverage& coverage)
      : code_(code), covered_(covered), coverage_(coverage) {}

  void leave(std::uint32_t index) {
    const Op& op = code_.ops[index];
    const OpCoverage& sums = covered_.ops[code_.first_op + index];
    // Threads whose guard is false at an exit continue behind it.
    const bool may_go_on = is_branch(op) || (op.successors == Successors::none && op.guarded);
    if (op.successors == Successors::next) add(index, index + 1, sums.executed, 0);
    if (may_go_on) add(index, index + 1, sums.failed, sums.both);
    if (is_branch(op)) add(index, op.target, sums.held, sums.both);
    if (op.successors == Successors::target) add(index, op.target, sums.executed, 0);
    if (op.successors == Successors::table) {
      for (const std::uint32_t target : distinct_targets(op)) {
        const auto found = covered_.tables.find({code_.first_op + index, target});
        const OpCoverage ways = found == covered_.tables.end() ? OpCoverage{} : found->second;
        add(index, target, ways.held, ways.both);
      }
    }
  }

 private:
  static std::vector<std::uint32_t> distinct_targets(const Op& op) {
    std::vector<std::uint32_t> targets = op.detail->targets;
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
  }

  void add(std::uint32_t from, std::uint32_t to, std::uint64_t warps, std::uint64_t divergent) {
    if (to >= code_.ops.size()) return;
    coverage_.edges.push_back({code_.first_op + from, code_.first_op + to, warps, divergent});
  }

  const FunctionCode& code_;
  const Covered& covered_;
  device::Coverage& coverage_;
};

void add_function(const FunctionCode& code, const Covered& covered, device::Coverage& coverage) {
  const std::size_t entry = coverage.edges.size();
  coverage.edges.push_back({device::kEntry, code.first_op, covered.ops[code.first_op].executed, 0});
  for (std::uint32_t i = 0; i < code.ops.size(); ++i) {
    const Op& op = code.ops[i];
    const OpCoverage& sums = covered.ops[code.first_op + i];
    if (op.leader) coverage.blocks.push_back({code.first_op + i, 0, sums.executed});
    ++coverage.blocks.back().instructions;
    if (ends_block(code, op)) Edges(code, covered, coverage).leave(i);
    if (is_branch(op) || !(op.guarded || is_condition(op))) continue;
    coverage.conditions.push_back({code.first_op + i, sums.held, sums.failed});
  }
  // A loop may lead back to the first instruction.
  for (std::size_t i = entry + 1; i < coverage.edges.size(); ++i) {
    if (coverage.edges[i].to != code.first_op) continue;
    coverage.edges[entry].warps -= std::min(coverage.edges[entry].warps, coverage.edges[i].warps);
  }
}

}  // namespace

OpCoverage& OpCoverage::operator+=(const OpCoverage& other) {
  executed += other.executed;
  held += other.held;
  failed += other.failed;
  both += other.both;
  return *this;
}

Covered& Covered::operator+=(const Covered& other) {
  ops.resize(std::max(ops.size(), other.ops.size()));
  for (std::size_t i = 0; i < other.ops.size(); ++i) ops[i] += other.ops[i];
  for (const auto& [ways, sums] : other.tables) tables[ways] += sums;
  return *this;
}

void Covered::note(const Warp& warp, const Op& op, Mask lanes) {
  const FunctionCode& code = *warp.frame().code;
  if (!op.leader && !op.guarded && !ends_block(code, op)) return;
  const std::uint32_t number = op.number;
  OpCoverage& sums = ops[number];
  ++sums.executed;
  if (is_branch(op)) {
    const Mask holds = warp.predicate(op.operand[machine::kBranchPredicate]);
    split(sums, lanes, op.guard_negated ? ~holds : holds);
  } else if (op.successors == Successors::table) {
    split_by_table(*this, number, warp, op);
  } else if (op.guarded && !is_condition(op)) {
    split(sums, lanes, warp.active());
  }
}

void Covered::note_result(const Warp& warp, const Op& op) {
  if (!is_condition(op)) return;
  split(ops[op.number], warp.active() & warp.defined(op.operand[machine::kResult]),
        warp.predicate(op.operand[machine::kResult]));
}

Covered nothing_covered(const machine::Program& program) {
  std::size_t ops = 0;
  for (const FunctionCode& code : program.functions) ops += code.ops.size();
  Covered covered;
  covered.ops.resize(ops);
  return covered;
}

device::Coverage coverage_of(const machine::Program& program, const Covered& covered) {
  device::Coverage coverage;
  for (const FunctionCode& code : program.functions) {
    if (code.ops.empty()) continue;
    if (code.source->is_entry && covered.ops[code.first_op].executed == 0) continue;
    add_function(code, covered, coverage);
  }
  return coverage;
}

}  // namespace warpcheck::counters

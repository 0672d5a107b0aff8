#include "device/virtual/counters/counters.hpp"

#include <algorithm>
#include <bit>

#include "device/virtual/counters/banks.hpp"
#include "device/virtual/machine/core/instruction_kind.hpp"
#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/machine/lanes/matrices.hpp"

namespace warpcheck::counters {
namespace {

using device::ExecutionCounts;
using machine::FunctionCode;
using machine::kWindowBytes;
using machine::Mask;
using machine::Op;
using machine::Space;
using machine::Warp;

std::uint64_t number_of(Mask lanes) { return static_cast<std::uint64_t>(std::popcount(lanes)); }

/// The number of bytes per lane, from the type and the vector length of an instruction.
std::size_t bytes_of(const ptx::Instruction& instruction) {
  std::size_t bytes = 0;
  std::size_t numbers = 1;
  for (std::size_t i = 1; i < instruction.parts.size(); ++i) {
    const std::string& part = instruction.parts[i];
    if (const auto type = ptx::type(part)) bytes = ptx::bytes(*type);
    if (part == "v2" || part == "v4" || part == "v8") {
      numbers = static_cast<std::size_t>(part[1] - '0');
    }
  }
  return bytes * numbers;
}

/// The active lanes of an asynchronous copy that read at least one byte.
Mask reading_lanes(const Warp& warp, const Op& op) {
  Mask lanes = warp.active();
  if (const machine::Slot sizes = op.operand[machine::kSourceSize]; sizes != machine::kNoSlot) {
    const auto* const size = warp.lanes<std::uint32_t>(sizes);
    for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
      if (size[lane] == 0) lanes &= ~(Mask{1} << lane);
    }
  }
  if (const machine::Slot ignored = op.operand[machine::kIgnoreSource];
      ignored != machine::kNoSlot) {
    const Mask holds = warp.predicate(ignored);
    lanes &= op.negated_sources != 0 ? holds : ~holds;
  }
  return lanes;
}

/// The active lanes that take a branch.
Mask takers(const Warp& warp, const Op& op) {
  const Mask holds = warp.predicate(op.operand[machine::kBranchPredicate]);
  return warp.active() & (op.guard_negated ? ~holds : holds);
}

/// The state space of an address; a generic address determines it.
Space space_of(const Op& op, std::uint64_t address) {
  if (op.space != Space::generic) return op.space;
  const auto within = [&](std::uint64_t window) { return address - window < kWindowBytes; };
  if (within(machine::kSharedWindow)) return Space::shared;
  if (within(machine::kLocalWindow)) return Space::local;
  return within(machine::kParameterWindow) ? Space::kernel_parameter : Space::global;
}

void count_request(ExecutionCounts& counts, const Op& op, const machine::LaneAddresses& addresses,
                   Mask lanes, unsigned bytes, bool load) {
  const Space space = space_of(op, addresses[static_cast<std::size_t>(std::countr_zero(lanes))]);
  if (space == Space::global) {
    ++counts.global_requests;
    counts.global_sectors += sectors(addresses, lanes);
    counts.global_ideal += (number_of(lanes) * bytes + kSectorBytes - 1) / kSectorBytes;
  } else if (space == Space::shared) {
    const Wavefronts served = wavefronts(addresses, lanes, bytes, load);
    ++counts.shared_requests;
    counts.shared_wavefronts += served.total;
    counts.shared_ideal += served.ideal;
  }
}

}  // namespace

void add(Counts& sum, const Counts& part) {
  sum.resize(std::max(sum.size(), part.size()));
  for (std::size_t i = 0; i < part.size(); ++i) sum[i] += part[i];
}

void count_transfer(Counts& counts, const Op& op, std::uint64_t bytes) {
  ExecutionCounts& sums = counts[op.number];
  const std::uint64_t sectors = (bytes + kSectorBytes - 1) / kSectorBytes;
  ++sums.global_requests;
  sums.global_sectors += sectors;
  sums.global_ideal += sectors;
}

Counters::Counters(const machine::Program& program) : program_(program) {
  for (const FunctionCode& code : program.functions) {
    for (const Op& op : code.ops) {
      const auto& body = code.source->body;
      accesses_.push_back(op.instruction < body.size() ? access_of(body[op.instruction], op)
                                                       : Access{});
    }
  }
}

void Counters::count(Counts& counts, const Warp& warp, const Op& op, Mask lanes) const {
  ExecutionCounts& sums = counts[op.number];
  ++sums.warps;
  sums.threads += number_of(lanes);
  sums.predicated_on += number_of(warp.active());
  if (is_branch(op)) {
    const Mask taken = takers(warp, op);
    const bool some_stay = taken != warp.active();
    sums.taken += taken != 0 ? 1 : 0;
    sums.not_taken += some_stay ? 1 : 0;
    sums.divergent += taken != 0 && some_stay ? 1 : 0;
  }
  if (accesses_[op.number].bytes != 0) count_access(sums, warp, op, accesses_[op.number]);
}

Counters::Access Counters::access_of(const ptx::Instruction& instruction, const Op& op) {
  const std::string& mnemonic = instruction.parts.front();
  if (mnemonic == "cp") {
    const bool bulk = std::count(instruction.parts.begin(), instruction.parts.end(), "bulk") != 0;
    if (bulk || instruction.operands.size() < 3) return {};
    const auto* const size = std::get_if<ptx::Integer>(&instruction.operands[2]);
    if (size == nullptr) return {};
    return {static_cast<std::uint8_t>(size->bits), false, op.space == Space::global};
  }
  if (mnemonic == "ldmatrix" || mnemonic == "stmatrix") {
    // 8 rows of 16 bytes for each register of op.detail. Each matrix is a request of its own.
    if (op.detail->elements.empty()) return {};
    const auto lanes =
        8 * static_cast<unsigned>(std::min<std::size_t>(op.detail->elements.size(), 4));
    return {16, false, false, machine::kAllLanes >> (machine::kLanes - lanes)};
  }
  if (mnemonic == "wmma" && op.detail->matrices != nullptr && instruction.parts.at(1) != "mma") {
    return {1, instruction.parts[1] == "load", false, machine::kAllLanes, true};
  }
  const bool load = mnemonic == "ld" || mnemonic == "ldu";
  if (!load && mnemonic != "st" && mnemonic != "atom" && mnemonic != "red") return {};
  return {static_cast<std::uint8_t>(bytes_of(instruction)), load, false};
}

void Counters::count_access(ExecutionCounts& counts, const Warp& warp, const Op& op,
                            Access access) {
  if (access.matrix) return count_matrix(counts, warp, op, access.load);
  const Mask lanes = (access.fetch ? reading_lanes(warp, op) : warp.active()) & access.lanes;
  if (lanes == 0) return;
  machine::LaneAddresses addresses;
  machine::gather_addresses(warp, op, addresses);
  count_request(counts, op, addresses, lanes, access.bytes, access.load);
}

/// Counts one request for each piece of the lanes' fragments.
void Counters::count_matrix(ExecutionCounts& counts, const Warp& warp, const Op& op, bool load) {
  if (warp.active() != machine::kAllLanes) return;
  const machine::MatrixOperation& operation = *op.detail->matrices;
  const machine::MatrixPieces pieces = machine::pieces_of(operation);
  const std::uint64_t begin = machine::address_of(warp, op, 0);
  const std::uint64_t stride = warp.lanes<std::uint32_t>(op.operand[machine::kMatrixStride])[0];
  for (unsigned i = 0; i < operation.d.registers * pieces.per_register; ++i) {
    machine::LaneAddresses addresses = machine::offsets_of(operation, stride, i, pieces);
    for (std::uint64_t& address : addresses) address += begin;
    count_request(counts, op, addresses, machine::kAllLanes, pieces.bytes, load);
  }
}

/// Sums the counts of the ops of each instruction, which may consist of two ops. The executions are
/// those of the first op; the accesses are those of both.
std::vector<device::InstructionCounts> Counters::by_instruction(const Counts& counts) const {
  std::vector<device::InstructionCounts> result;
  for (const FunctionCode& code : program_.functions) {
    const bool launched = !code.ops.empty() && counts[code.first_op].warps != 0;
    if (code.source->is_entry && !launched) continue;
    std::uint32_t last = ~std::uint32_t{0};
    for (std::size_t i = 0; i < code.ops.size(); ++i) {
      const Op& op = code.ops[i];
      if (op.instruction >= code.source->body.size()) continue;
      const ptx::Instruction& instruction = code.source->body[op.instruction];
      ExecutionCounts sums = counts[code.first_op + i];
      if (op.instruction == last) {
        sums.warps = sums.threads = sums.predicated_on = 0;
      } else {
        last = op.instruction;
        device::InstructionCounts& added = result.emplace_back();
        added.source = source_place(program_, code, op);
        added.operations = machine::operations_of(instruction);
      }
      device::InstructionCounts& merged = result.back();
      merged.conditional |= is_branch(op);
      merged += sums;
    }
  }
  return result;
}

}  // namespace warpcheck::counters

#include "report/sarif/rules.hpp"

#include <array>

namespace warpcheck::report {
namespace {

constexpr std::array kRules = {
    Rule{FindingClass::wrong_result, "An element of the result is not what the contract promises",
         "The value differs from the reference by more than rounding allows, or a relation between "
         "two results that must hold does not. The diagnosis says what the pattern of the wrong "
         "elements tells: a tail that was dropped, an edge, a transposed operand."},
    Rule{FindingClass::out_of_bounds, "An access lies outside of its buffer",
         "A load or a store touches bytes that no matrix or variable owns. Look for an edge test "
         "that is missing or one off, a leading dimension of another matrix, or an index that "
         "overflows."},
    Rule{FindingClass::misaligned, "An access is not aligned to its size",
         "A load or a store of several bytes, a float4 for one, needs an address that its size "
         "divides; the GPU traps otherwise. Guard the vector path by the address and the leading "
         "dimension, or state the alignment in the contract's requires."},
    Rule{FindingClass::uninitialized_read, "A value that nobody wrote is used",
         "Bytes of shared or global memory, or a register, reach a result, an address or a branch "
         "before anything was stored there. Look for a tile whose edge is not zero-filled, or C "
         "that is read although beta is 0."},
    Rule{FindingClass::race, "Two threads access the same bytes without order, and one writes",
         "Nothing orders the two accesses, so the result depends on which comes first. Put a "
         "barrier between them, or make both atomic. The other access is named beside the first."},
    Rule{FindingClass::barrier_divergence, "Threads do not meet at a barrier",
         "Some threads of the block or the warp wait at a barrier that others have left behind, or "
         "its count or mask does not name those who come. Move the barrier out of the branch, or "
         "the return behind it."},
    Rule{FindingClass::deadlock, "Threads wait for what can no longer come",
         "No thread that could wake the waiting ones is left to run. The message names who waits "
         "where, and for whom."},
    Rule{FindingClass::guard_overwritten, "A byte between or around the matrix's lines is written",
         "The lines of a matrix with a leading dimension lie apart, and what lies between them "
         "belongs to the caller. Look for an edge test that compares with the leading dimension "
         "instead of the extent."},
    Rule{FindingClass::input_modified, "An input is written",
         "A, B or another operand that the contract declares as an input holds other bytes after "
         "the launch than before."},
    Rule{FindingClass::nondeterministic, "The same problem gives other bits the next time",
         "The result depends on how blocks and warps are scheduled. Where sums may come in any "
         "order by design, the contract says deterministic = false."},
    Rule{FindingClass::illegal_instruction, "An instruction cannot be executed",
         "The device does not know the instruction, or not with these operands."},
    Rule{FindingClass::launch_failure, "The kernel cannot be launched as its contract says",
         "The grid, the block or the shared memory is more than the architecture allows, or blocks "
         "that wait for one another cannot all be resident."},
    Rule{FindingClass::timeout, "The kernel does not end",
         "A warp has executed more instructions than any case of this size needs, or the GPU did "
         "not answer in time. Look for a loop whose condition never changes."},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (kRules[i].kind != static_cast<FindingClass>(i)) return false;
  }
  return kRules.size() == static_cast<std::size_t>(FindingClass::timeout) + 1;
}
static_assert(in_order());

}  // namespace

std::span<const Rule> rules() { return kRules; }

}  // namespace warpcheck::report

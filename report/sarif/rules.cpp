#include "report/sarif/rules.hpp"

#include <array>

namespace warpcheck::report {
namespace {

constexpr std::array kRules = {
    Rule{
        FindingClass::wrong_result, "An element of the result is wrong",
        "The value differs from the reference by more than rounding allows, or two results that "
        "must agree do not. The diagnosis describes the pattern of the wrong elements: a tail that "
        "was dropped, an edge, a transposed operand."},
    Rule{FindingClass::out_of_bounds, "An access is outside its buffer",
         "A load or a store touches bytes that belong to no matrix or variable. Look for a missing "
         "or off-by-one edge test, the leading dimension of another matrix, or an index that "
         "overflows."},
    Rule{
        FindingClass::misaligned, "An access is not aligned to its size",
        "A load or a store of several bytes, such as a float4, needs an address that is a multiple "
        "of its size; otherwise the GPU traps. Guard the vector path by the address and the "
        "leading dimension, or state the alignment in the contract's requires."},
    Rule{
        FindingClass::uninitialized_read, "A value that was never written is used",
        "Bytes of shared or global memory, or a register, reach a result, an address or a branch "
        "before anything was stored there. Look for a tile whose edge is not filled with zeros, or "
        "for a C that is read although beta is 0."},
    Rule{FindingClass::race, "Two threads access the same bytes without order, and one writes",
         "Nothing orders the two accesses, so the result depends on which comes first. Put a "
         "barrier between them, or make both atomic. The other access is given with the first."},
    Rule{FindingClass::barrier_divergence, "Threads do not meet at a barrier",
         "Some threads of the block or the warp wait at a barrier that others have passed or never "
         "reach, or its count or mask does not match the threads that arrive. Move the barrier out "
         "of the branch, or the return behind the barrier."},
    Rule{FindingClass::deadlock, "Threads wait for an event that can no longer occur",
         "No thread that could wake the waiting ones is left to run. The message names the waiting "
         "threads, where they wait, and for which threads."},
    Rule{FindingClass::guard_overwritten,
         "A byte between or around the rows of a matrix is written",
         "The rows of a matrix with a leading dimension are apart, and the bytes between them "
         "belong "
         "to the caller. Look for an edge test that compares with the leading dimension instead of "
         "the extent."},
    Rule{FindingClass::input_modified, "An input is written",
         "A, B or another operand that the contract declares as an input has other bytes after the "
         "launch than before."},
    Rule{FindingClass::nondeterministic, "The same problem gives other bits in another run",
         "The result depends on the schedule of blocks and warps. If sums may be computed in any "
         "order by design, set deterministic = false in the contract."},
    Rule{FindingClass::illegal_instruction, "An instruction cannot be executed",
         "The hardware refuses the instruction with the values of its operands, for example a "
         "branch "
         "beyond its table of targets."},
    Rule{FindingClass::launch_failure, "The kernel cannot be launched as its contract states",
         "The grid, the block or the memory that the kernel declares exceeds a limit of the "
         "architecture, ptxas refuses the PTX, or blocks that wait for one another cannot all be "
         "resident."},
    Rule{FindingClass::timeout, "The kernel does not end",
         "A warp executed more instructions than any case of this size needs, or the GPU did not "
         "finish in time. Look for a loop whose condition never changes."},
    Rule{FindingClass::invalid_call, "A call through a pointer does not reach a function",
         "The address of an indirect call is undefined, is not that of a function, or is that of a "
         "function with other parameters. Look for a function pointer or a table of them that was "
         "not initialized, or was overwritten."},
    Rule{FindingClass::use_after_free, "An access to memory that was freed",
         "A kernel or a copy uses device memory after the program freed it. The report names the "
         "allocation and the call that freed it."},
    Rule{FindingClass::api_misuse, "A call of the CUDA API is wrong",
         "The host passes an invalid pointer, size or handle to the CUDA runtime, or frees memory "
         "twice. The report has the call stack of the host."},
    Rule{FindingClass::leak, "Device memory is not freed",
         "The program ends while an allocation of device memory exists. The report has the call "
         "stack of the allocation."},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (kRules[i].kind != static_cast<FindingClass>(i)) return false;
  }
  return kRules.size() == static_cast<std::size_t>(kLastFindingClass) + 1;
}
static_assert(in_order());

}  // namespace

std::span<const Rule> rules() { return kRules; }

}  // namespace warpcheck::report

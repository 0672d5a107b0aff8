// Warp: 32 lanes in fragments. A fragment is a set of lanes at one place of the program. One
// fragment runs at a time; a divergent branch splits it, and fragments at the same place are
// merged. Handlers work on the running fragment only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/finding.hpp"
#include "device/virtual/machine/block/frame.hpp"
#include "device/virtual/machine/block/observer.hpp"
#include "device/virtual/machine/core/op.hpp"
#include "device/virtual/machine/core/schedule.hpp"
#include "device/virtual/machine/memory/sparse_bytes.hpp"

namespace warpcheck {
class Fingerprint;
}

namespace warpcheck::machine {

class Block;

enum class FragmentState : std::uint8_t {
  ready,
  at_barrier,    // a barrier of the block
  at_warp_sync,  // bar.warp.sync, or an exchange with lanes that have not arrived yet
};

/// How the lanes of a fragment came together. Since compute capability 7.0, lanes meet again after
/// a branch only where they wait for each other.
enum class Convergence : std::uint8_t {
  waited,    // they waited for each other, and no branch has separated them since
  one_side,  // they took one side of a branch
  apart,     // they took different paths, or iterations of a loop that others left
};

struct Fragment {
  Mask lanes = 0;
  std::uint32_t pc = 0;  // next op; the op after the wait for a waiting fragment
  std::shared_ptr<Frame> frame;
  FragmentState state = FragmentState::ready;
  const Op* waits_at = nullptr;
  unsigned barrier = 0;  // number of the barrier (at_barrier)
  Mask expected = 0;     // lanes that must arrive (at_warp_sync)
  Convergence convergence = Convergence::waited;

  /// Ends the wait. Clears its state, so that the lanes can merge with lanes that did not wait.
  void go_on() {
    state = FragmentState::ready;
    waits_at = nullptr;
    barrier = 0;
    expected = 0;
    convergence = Convergence::waited;
  }
};

class Warp {
 public:
  Warp(Block& block, unsigned index, const FunctionCode& kernel);

  /// Starts the kernel with the given lanes.
  void start(Mask lanes);
  [[nodiscard]] Mask started() const { return started_; }

  [[nodiscard]] bool finished() const { return fragments_.empty(); }
  [[nodiscard]] bool runnable() const;

  /// Runs ready fragments until about `quantum` instructions are executed, each ready fragment
  /// polls memory, none is ready, or a fault occurs. Unless the block interleaves, each lane that
  /// is ready executes an instruction. Repetition depends on this.
  void run(std::uint64_t quantum);

  // State of the running fragment, for handlers.
  [[nodiscard]] Mask active() const { return active_; }
  template <class T>
  [[nodiscard]] T* lanes(Slot slot) const {
    return reinterpret_cast<T*>(values_ + slot.value);
  }
  [[nodiscard]] Mask& predicate(Slot slot) const {
    return *reinterpret_cast<Mask*>(values_ + slot.value);
  }
  [[nodiscard]] Mask& defined(Slot slot) const { return defined_[slot.index]; }
  [[nodiscard]] Block& block() const { return *block_; }
  [[nodiscard]] unsigned index() const { return index_; }
  [[nodiscard]] Frame& frame() const { return *frame_; }
  [[nodiscard]] std::byte* undefined_bits(Slot slot) const {
    return frame_->undefined_bits() + slot.value;
  }
  [[nodiscard]] std::uint64_t executed() const { return executed_; }

  /// Charges the budget for an instruction that takes as long as `instructions` others.
  void charge(std::uint64_t instructions) { charged_ += instructions; }
  /// The number of executed instructions, plus the charges.
  [[nodiscard]] std::uint64_t work() const { return executed_ + charged_; }

  /// Marks `lanes` of a register as defined or undefined. The caller sets the undefined bits of the
  /// undefined ones.
  void set_defined(Slot slot, Mask lanes, Mask defined_lanes) const {
    Mask& mask = defined(slot);
    mask = (mask & ~lanes) | (lanes & defined_lanes);
  }

  // Control flow, for handlers. The turn of the fragment ends if a function returns Flow::leave.
  [[nodiscard]] Flow jump(const Op& op, std::uint32_t target);
  [[nodiscard]] Flow branch(const Op& op, Mask taken);
  [[nodiscard]] Flow branch_each(const Op& op, const std::uint32_t* targets);
  [[nodiscard]] Flow call(const Op& op) { return call_some(op, lanes_, op.detail->callee); }
  /// Some of the running lanes call a function; the others execute this op later.
  [[nodiscard]] Flow call_some(const Op& op, Mask callers, std::uint32_t callee);
  [[nodiscard]] Flow return_from_call();
  /// These running lanes execute this op later; the others continue.
  void postpone(Mask others);
  [[nodiscard]] Flow exit();
  /// Ends the turn of the fragment, which waits for an action of another fragment of any warp.
  [[nodiscard]] Flow yield();
  /// Counts an access by which a thread may wait for another one.
  void count_poll() { ++polls_; }
  /// The running lanes that execute an op now. The schedule may postpone others, if the lanes may
  /// be apart.
  [[nodiscard]] Mask lanes_in_step() const;
  [[nodiscard]] Flow wait_at_barrier(const Op& op, unsigned barrier);
  [[nodiscard]] Flow warp_barrier(const Op& op, Mask expected);

  /// Gathers lanes for an exchange. Returns the running lanes for which every live lane of their
  /// entry in `masks` has arrived at this op. They become the running lanes; the others wait at the
  /// op.
  [[nodiscard]] Mask gather_lanes(const Op& op, const std::uint32_t* masks);

  /// A finding at `op`, for the lowest of `lanes`.
  [[nodiscard]] Finding finding(const Op& op, Mask lanes, FindingClass kind, std::string message,
                                std::optional<MemoryPlace> memory = std::nullopt) const;
  /// Adds such a finding to the block.
  void report(const Op& op, Mask lanes, FindingClass kind, std::string message,
              std::optional<MemoryPlace> memory = std::nullopt);
  /// Adds such a finding, then ends the launch.
  Flow fault(const Op& op, Mask lanes, FindingClass kind, std::string message,
             std::optional<MemoryPlace> memory = std::nullopt);

  /// Adds such a finding. Ends the launch and returns false, unless LaunchContext::keep_going is
  /// set.
  [[nodiscard]] bool goes_on_after(const Op& op, Mask lanes, FindingClass kind, std::string message,
                                   std::optional<MemoryPlace> memory = std::nullopt);
  /// Adds a finding for a use of an undefined register. If the launch continues, its bits then
  /// count as defined, so that one cause is one finding.
  [[nodiscard]] bool goes_on_with_undefined(const Op& op, Slot slot, Mask unknown,
                                            const char* message);

  /// Records that a load of these lanes had no memory to read. An effect of its zeros is no further
  /// defect.
  void note_poisoned(Mask lanes) { poisoned_ |= lanes; }
  [[nodiscard]] bool is_poisoned(unsigned lane) const { return (poisoned_ >> lane & 1) != 0; }

  /// Adds such a finding and omits the instruction, which has no result. Ends the launch unless
  /// LaunchContext::keep_going is set.
  Flow skip_after(const Op& op, Mask lanes, FindingClass kind, std::string message,
                  std::optional<MemoryPlace> memory = std::nullopt);

  /// Ends the launch at an op that allocates memory of the kernel beyond the limit.
  Flow stop_beyond_heap(const Op& op, const char* what);

  /// Ends the launch at an op that the machine cannot execute; the op's detail has the form.
  Flow stop_unsupported(const Op& op);

  /// Executes the running fragment until it leaves or its turn ends. Returns the number of
  /// instructions. Defined in fragment_loop.hpp; one instantiation for each type of observer.
  template <FragmentTurn Turn, class Observer>
  static std::uint64_t run_fragment(Warp& warp, std::uint64_t quantum);

  // Functions for the block.
  [[nodiscard]] const std::vector<Fragment>& fragments() const { return fragments_; }
  void release(unsigned barrier);
  /// A fingerprint of registers, stack and places, which together with memory determine the next
  /// instructions.
  [[nodiscard]] std::uint64_t fingerprint() const;
  /// Adds a part of that state: places, and one lane of most registers.
  void add_sample(Fingerprint& state) const;
  [[nodiscard]] Mask live() const;

  /// The local memory of one lane: bytes and their shadow. Lanes are `local_stride()` bytes apart.
  [[nodiscard]] std::byte* local_data() { return local_data_.data(); }
  [[nodiscard]] std::byte* local_shadow() { return local_shadow_.data(); }
  [[nodiscard]] std::size_t local_stride() const { return local_stride_; }

 private:
  [[nodiscard]] bool may_run(const Fragment& fragment) const {
    return fragment.state == FragmentState::ready && (fragment.lanes & ~resting_) != 0;
  }
  [[nodiscard]] std::size_t pick() const;
  [[nodiscard]] std::size_t pick_any(const LaneOrder& choices) const;
  [[nodiscard]] FragmentLoop loop() const;
  void enter(std::size_t fragment);
  void leave_fragment();
  std::uint64_t run_one(std::size_t fragment, std::uint64_t quantum);
  void run_others();
  void end_rest_after_changes();
  void rest_if_polling();
  void store_fragment();
  void merge();
  void release_warp_syncs();
  void reserve_local(std::size_t bytes);
  [[nodiscard]] bool has_budget() const { return work() <= work_ends_; }
  [[nodiscard]] Flow budget_used_up(const Op& op);
  [[nodiscard]] Flow stop_beyond_memory(const Op& op);
  void free_stack(Frame& frame);
  void pass_parameter(const Op& op, Frame& callee, std::size_t element,
                      const ParameterPlace& parameter, bool to_caller);

  Block* block_;
  unsigned index_;
  std::shared_ptr<Frame> kernel_frame_;
  std::vector<Fragment> fragments_;

  // The running fragment, unpacked.
  Mask started_ = 0;
  std::size_t current_ = 0;
  Mask active_ = 0;
  Mask lanes_ = 0;
  std::uint32_t pc_ = 0;
  std::byte* values_ = nullptr;
  Mask* defined_ = nullptr;
  Frame* frame_ = nullptr;
  Mask poisoned_ = 0;
  std::uint64_t executed_ = 0;
  std::uint64_t charged_ = 0;
  std::uint64_t turn_ends_ = 0;
  std::uint64_t work_ends_ = 0;  // work at which this turn has used up the budget
  // The next four hold for one turn of the warp.
  Mask had_turn_ = 0;          // lanes that have executed an instruction
  Mask resting_ = 0;           // lanes that poll memory, until it changes
  std::uint64_t polls_ = 0;    // polls since memory changed, or a fragment began to rest
  std::uint64_t changes_ = 0;  // changes of memory so far
  mutable std::optional<std::uint64_t> fingerprint_;  // empty if the warp has changed since

  SparseBytes local_data_;
  SparseBytes local_shadow_;
  std::size_t local_stride_ = 0;
};

}  // namespace warpcheck::machine

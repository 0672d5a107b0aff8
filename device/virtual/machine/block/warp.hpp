// A warp: 32 lanes in fragments, each a set of lanes at one place of the program. One fragment runs
// at a time; a branch that lanes take differently splits it, and fragments that reach the same
// place become one again. Handlers see the running fragment only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/finding.hpp"
#include "device/virtual/machine/block/frame.hpp"
#include "device/virtual/machine/core/op.hpp"

namespace warpcheck::machine {

class Block;

enum class FragmentState : std::uint8_t {
  ready,
  at_barrier,    // a barrier of the block
  at_warp_sync,  // bar.warp.sync, or an exchange with lanes that have not come yet
};

struct Fragment {
  Mask lanes = 0;
  std::uint32_t pc = 0;  // the op to go on with; of a waiting fragment, the one after its wait
  std::shared_ptr<Frame> frame;
  FragmentState state = FragmentState::ready;
  const Op* waits_at = nullptr;
  unsigned barrier = 0;  // at_barrier: which
  Mask awaited = 0;      // at_warp_sync: the lanes that must come
};

class Warp {
 public:
  Warp(Block& block, unsigned index, const FunctionCode& kernel);

  /// Begins the kernel anew with the given lanes.
  void start(Mask lanes);
  [[nodiscard]] Mask started() const { return started_; }

  [[nodiscard]] bool finished() const { return fragments_.empty(); }
  [[nodiscard]] bool runnable() const;

  /// Runs ready fragments for at most about `quantum` instructions, until none is ready, or until a
  /// fault.
  void run(std::uint64_t quantum);

  // What handlers work on.
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

  /// Marks `lanes` of a register defined or not; where not, its undefined bits must be set too.
  void set_defined(Slot slot, Mask lanes, Mask defined_lanes) const {
    Mask& mask = defined(slot);
    mask = (mask & ~lanes) | (lanes & defined_lanes);
  }

  // Control flow, for handlers; each ends the fragment's turn where it returns Flow::leave.
  [[nodiscard]] Flow jump(const Op& op, std::uint32_t target);
  [[nodiscard]] Flow branch(const Op& op, Mask taken);
  [[nodiscard]] Flow branch_each(const Op& op, const std::uint32_t* targets);
  [[nodiscard]] Flow call(const Op& op) { return call_some(op, lanes_, op.detail->callee); }
  /// Some of the running lanes call a function; the others come to this op again.
  [[nodiscard]] Flow call_some(const Op& op, Mask callers, std::uint32_t callee);
  [[nodiscard]] Flow return_from_call();
  /// These of the running lanes come to this op again; the others go on.
  void postpone(Mask others);
  [[nodiscard]] Flow exit();
  /// Ends the warp's turn: others must act before it gets on.
  [[nodiscard]] Flow yield();
  [[nodiscard]] Flow wait_at_barrier(const Op& op, unsigned barrier);
  [[nodiscard]] Flow warp_barrier(const Op& op, Mask awaited);

  /// For exchanges between lanes: of the running lanes, those for which every live lane of their
  /// own `masks` entry has come to this op. They become the running ones; the others wait here.
  [[nodiscard]] Mask come_together(const Op& op, const std::uint32_t* masks);

  /// A finding at `op` by the lowest of `lanes`.
  [[nodiscard]] Finding finding(const Op& op, Mask lanes, FindingClass kind, std::string message,
                                std::optional<MemoryPlace> memory = std::nullopt) const;
  /// Reports it.
  void report(const Op& op, Mask lanes, FindingClass kind, std::string message,
              std::optional<MemoryPlace> memory = std::nullopt);
  /// The same, and ends the launch.
  Flow fault(const Op& op, Mask lanes, FindingClass kind, std::string message,
             std::optional<MemoryPlace> memory = std::nullopt);

  /// Executes the running fragment until it leaves, and, if there are `Several` fragments, until it
  /// reaches an op where others may be. Returns the number of instructions. Defined in
  /// fragment_loop.hpp; one instantiation for each type of observer.
  template <bool Several, class Observer>
  static std::uint64_t run_fragment(Warp& warp, std::uint64_t quantum);

  // For the block.
  [[nodiscard]] const std::vector<Fragment>& fragments() const { return fragments_; }
  void release(unsigned barrier);
  /// Of registers, stack and places: what its next instructions follow from, memory apart.
  [[nodiscard]] std::uint64_t fingerprint() const;
  [[nodiscard]] Mask live() const;

  /// Local memory of one lane: bytes and their shadow. Lanes lie `local_stride()` apart.
  [[nodiscard]] std::byte* local_data() { return local_data_.data(); }
  [[nodiscard]] std::byte* local_shadow() { return local_shadow_.data(); }
  [[nodiscard]] std::size_t local_stride() const { return local_stride_; }

 private:
  [[nodiscard]] std::size_t pick() const;
  void enter(std::size_t fragment);
  void leave_fragment();
  void run_another();
  void settle();
  void merge();
  void release_warp_syncs();
  void reserve_local(std::size_t bytes);
  void copy_parameters(const Op& op, Frame& callee);

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
  std::uint64_t executed_ = 0;
  std::uint64_t turn_ends_ = 0;
  std::size_t other_turn_ = 0;
  bool yielded_ = false;
  mutable std::optional<std::uint64_t> fingerprint_;  // where the warp has not changed since

  std::vector<std::byte> local_data_;
  std::vector<std::byte> local_shadow_;
  std::size_t local_stride_ = 0;
};

}  // namespace warpcheck::machine

#include "device/virtual/machine/block/warp.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/fingerprint.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/bulk_stores.hpp"
#include "device/virtual/machine/block/fragment_loop.hpp"
#include "device/virtual/machine/block/warpgroup_products.hpp"

namespace warpcheck::machine {
namespace {

/// The ranks of a fragment's place and of its calls, outermost call first. Fragments with lower
/// ranks run first, so that they catch up with the others.
std::vector<std::uint32_t> ranks(const Fragment& fragment) {
  std::vector<std::uint32_t> path{fragment.frame->code->rank[fragment.pc]};
  for (const Frame* frame = fragment.frame.get(); frame->caller; frame = frame->caller.get()) {
    path.push_back(frame->caller->code->rank[frame->return_to - 1]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void add_place(const Fragment& fragment, Fingerprint& state) {
  state.add(std::uint64_t{fragment.lanes} << 32 | fragment.pc);
  state.add(std::uint64_t{fragment.expected} << 32 | fragment.barrier << 8 |
            static_cast<unsigned>(fragment.state));
}

}  // namespace

Warp::Warp(Block& block, unsigned index, const FunctionCode& kernel)
    : block_(&block), index_(index), kernel_frame_(std::make_shared<Frame>(kernel)) {}

void Warp::start(Mask lanes) {
  kernel_frame_->reset();
  fragments_.clear();
  fragments_.push_back(Fragment{.lanes = lanes, .frame = kernel_frame_});
  started_ = lanes;
  poisoned_ = 0;
  executed_ = 0;
  charged_ = 0;
  fingerprint_.reset();
  block_->host_bytes() -= local_data_.size() + local_shadow_.size();
  local_stride_ = 0;
  local_data_ = {};
  local_shadow_ = {};
  reserve_local(kernel_frame_->local_end());
}

void Warp::reserve_local(std::size_t bytes) {
  if (bytes <= local_stride_) return;
  const std::size_t stride = std::max(bytes, local_stride_ * 2);
  SparseBytes data(stride * kLanes);
  SparseBytes shadow(stride * kLanes);
  for (std::size_t lane = 0; lane < kLanes && local_stride_ != 0; ++lane) {
    std::copy_n(local_data_.data() + lane * local_stride_, local_stride_,
                data.data() + lane * stride);
    std::copy_n(local_shadow_.data() + lane * local_stride_, local_stride_,
                shadow.data() + lane * stride);
  }
  block_->host_bytes() += 2 * (data.size() - local_data_.size());
  local_data_ = std::move(data);
  local_shadow_ = std::move(shadow);
  local_stride_ = stride;
}

Mask Warp::live() const {
  Mask lanes = 0;
  for (const Fragment& fragment : fragments_) lanes |= fragment.lanes;
  return lanes;
}

bool Warp::runnable() const {
  return std::any_of(fragments_.begin(), fragments_.end(), [](const Fragment& fragment) {
    return fragment.state == FragmentState::ready;
  });
}

/// The ready fragment that is furthest behind.
std::size_t Warp::pick() const {
  std::size_t best = fragments_.size();
  std::vector<std::uint32_t> best_ranks;
  for (std::size_t i = 0; i < fragments_.size(); ++i) {
    if (!may_run(fragments_[i])) continue;
    if (fragments_.size() == 1) return i;
    std::vector<std::uint32_t> candidate = ranks(fragments_[i]);
    if (best == fragments_.size() || candidate < best_ranks) {
      best = i;
      best_ranks = std::move(candidate);
    }
  }
  return best;
}

/// A ready fragment at any place; `choices` makes one of them the first for a while.
std::size_t Warp::pick_any(const LaneOrder& choices) const {
  for (unsigned turn = 0; turn < kLanes; ++turn) {
    const Mask lane = Mask{1} << choices.lane(turn);
    for (std::size_t i = 0; i < fragments_.size(); ++i) {
      const Fragment& fragment = fragments_[i];
      if (may_run(fragment) && (fragment.lanes & lane) != 0) return i;
    }
  }
  return fragments_.size();
}

FragmentLoop Warp::loop() const {
  const FragmentLoops& loops = block_->loops();
  if (block_->interleaves()) return loops.interrupted;
  return fragments_.size() == 1 ? loops.only : loops.one_of_several;
}

void Warp::enter(std::size_t fragment) {
  block_->begin_fragment_turn();
  const Fragment& entered = fragments_[fragment];
  current_ = fragment;
  lanes_ = entered.lanes;
  pc_ = entered.pc;
  frame_ = entered.frame.get();
  values_ = frame_->values;
  defined_ = frame_->defined;
}

void Warp::leave_fragment() {
  Fragment& left = fragments_[current_];
  left.lanes = lanes_;
  left.pc = pc_;
}

void Warp::run(std::uint64_t quantum) {
  fingerprint_.reset();
  work_ends_ = work() + block_->allowed();
  std::uint64_t run = 0;
  had_turn_ = 0;
  resting_ = 0;
  polls_ = 0;
  changes_ = block_->changes();
  const bool interleaves = block_->interleaves();
  const bool any = interleaves && block_->launch().any_lanes_first;
  const LaneOrder choices = any ? block_->lanes_of_phase(index_) : LaneOrder(0, 0);
  if (interleaves) quantum = block_->short_turn(index_);
  while (run < quantum && !block_->faulted()) {
    merge();
    const std::size_t next = any ? pick_any(choices) : pick();
    if (next == fragments_.size()) break;
    run += run_one(next, quantum - run);
  }
  if (!interleaves) run_others();
}

/// Runs a ready fragment until it waits, its turn ends or it polls memory.
std::uint64_t Warp::run_one(std::size_t fragment, std::uint64_t quantum) {
  constexpr std::uint64_t kMostBetweenChecks = 1 << 10;  // instructions
  // The fragments are ranked by all of their calls.
  if (fragments_.size() > 1) charge(fragments_[fragment].frame->depth / 4);
  enter(fragment);
  had_turn_ |= lanes_;
  const std::uint64_t executed = loop()(*this, std::min(quantum, kMostBetweenChecks));
  rest_if_polling();
  store_fragment();
  return executed;
}

/// Runs each ready fragment that had no turn yet, to the end of a basic block. A fragment that uses
/// up the warp's turn may wait for an action of another one.
void Warp::run_others() {
  const auto is_next = [&](const Fragment& fragment) {
    return fragment.state == FragmentState::ready && (fragment.lanes & ~had_turn_) != 0;
  };
  while (!block_->faulted()) {
    const auto next = std::find_if(fragments_.begin(), fragments_.end(), is_next);
    if (next == fragments_.end()) return;
    static_cast<void>(run_one(static_cast<std::size_t>(next - fragments_.begin()), 1));
  }
}

void Warp::end_rest_after_changes() {
  if (block_->changes() == changes_) return;
  changes_ = block_->changes();
  resting_ = 0;
  polls_ = 0;
}

/// Suspends a fragment that polls memory which does not change, so that others can run.
void Warp::rest_if_polling() {
  constexpr std::uint64_t kMostPolls = 8;
  end_rest_after_changes();
  if (polls_ < kMostPolls) return;
  polls_ = 0;
  const bool was_split = lanes_ != fragments_[current_].lanes;
  if (!was_split) resting_ |= lanes_;
}

void Warp::store_fragment() {
  if (current_ < fragments_.size()) leave_fragment();
  std::erase_if(fragments_, [](const Fragment& fragment) { return fragment.lanes == 0; });
  current_ = fragments_.size();
  release_warp_syncs();
}

/// Merges fragments that are at the same place, in the same call and in the same state.
void Warp::merge() {
  for (std::size_t i = 0; i < fragments_.size(); ++i) {
    for (std::size_t j = i + 1; j < fragments_.size();) {
      Fragment& kept = fragments_[i];
      const Fragment& other = fragments_[j];
      if (kept.pc == other.pc && kept.frame == other.frame && kept.state == other.state &&
          kept.barrier == other.barrier && kept.expected == other.expected) {
        kept.lanes |= other.lanes;
        const bool waited =
            kept.convergence == Convergence::waited && other.convergence == Convergence::waited;
        if (!waited) kept.convergence = Convergence::apart;
        fragments_.erase(fragments_.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
    }
  }
}

const FragmentLoops& unobserved_loops() {
  static constexpr FragmentLoops kLoops = loops_with<NoObserver>();
  return kLoops;
}

Flow Warp::jump(const Op& op, std::uint32_t target) {
  const bool backward = target < pc_;
  pc_ = target;
  if (!backward) return Flow::next;
  if (!has_budget()) return budget_used_up(op);
  return executed_ < turn_ends_ ? Flow::next : Flow::leave;
}

Flow Warp::budget_used_up(const Op& op) {
  block_->report_budget(*frame_->code, op, block_->place(index_, lowest(lanes_)));
  return Flow::leave;
}

Flow Warp::branch(const Op& op, Mask taken) {
  if (taken == 0) return Flow::next;
  if (taken == lanes_) return jump(op, op.target);
  Fragment other = fragments_[current_];
  other.lanes = taken;
  other.pc = op.target;
  Convergence& convergence = fragments_[current_].convergence;
  convergence = std::max(convergence, Convergence::one_side);
  other.convergence = op.target < pc_ ? Convergence::apart : convergence;
  lanes_ &= ~taken;
  fragments_.push_back(std::move(other));
  return Flow::leave;
}

Flow Warp::branch_each(const Op& op, const std::uint32_t* targets) {
  const Mask all = lanes_;
  const std::uint32_t first = targets[lowest(all)];
  for (Mask rest = all; rest != 0;) {
    const std::uint32_t target = targets[lowest(rest)];
    Mask same = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((rest >> lane & 1) != 0 && targets[lane] == target) same |= Mask{1} << lane;
    }
    rest &= ~same;
    if (same == all) return jump(op, target);
    Convergence& convergence = fragments_[current_].convergence;
    convergence = std::max(convergence, Convergence::one_side);
    if (target == first) {
      lanes_ = same;
      pc_ = target;
    } else {
      Fragment other = fragments_[current_];
      other.lanes = same;
      other.pc = target;
      fragments_.push_back(std::move(other));
    }
  }
  return Flow::leave;
}

Flow Warp::yield() {
  end_rest_after_changes();
  resting_ |= lanes_;
  return Flow::leave;
}

Mask Warp::lanes_in_step() const {
  const LaunchContext& launch = block_->launch();
  if (!launch.splits_lanes || fragments_[current_].convergence != Convergence::apart) {
    return active_;
  }
  Schedule schedule(launch.schedule_seed,
                    block_->linear() << 38 ^ std::uint64_t{index_} << 32 ^ executed_);
  const auto some = static_cast<Mask>(schedule.below(std::size_t{1} << kLanes)) & active_;
  return some != 0 ? some : active_;
}

Flow Warp::exit() {
  for (Frame* frame = frame_; frame != nullptr; frame = frame->caller.get()) free_stack(*frame);
  if (block_->bulk_stores().any(index_)) block_->bulk_stores().exit(*this, lanes_);
  const auto threads = static_cast<std::uint32_t>(std::popcount(lanes_));
  lanes_ = 0;
  fragments_[current_].lanes = 0;
  if (live() == 0) block_->warpgroup_products().exit(*this);
  block_->exit(threads);
  return Flow::leave;
}

void Warp::add_sample(Fingerprint& state) const {
  // Distance of lane 0 between registers of 32 bits.
  constexpr std::size_t kStep = kLanes * sizeof(std::uint32_t);
  for (const Fragment& fragment : fragments_) {
    add_place(fragment, state);
    if (fragment.state != FragmentState::ready) continue;  // its registers do not change
    const Frame& frame = *fragment.frame;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= frame.code->constants_offset;
         at += kStep) {
      state.add(*reinterpret_cast<const std::uint64_t*>(frame.values + at));
    }
  }
}

std::uint64_t Warp::fingerprint() const {
  if (fingerprint_) return *fingerprint_;
  Fingerprint state;
  state.add(local_data_.data(), local_data_.size());
  const Frame* hashed = nullptr;
  for (const Fragment& fragment : fragments_) {
    add_place(fragment, state);
    if (fragment.frame.get() == hashed) continue;
    hashed = fragment.frame.get();
    for (const Frame* frame = hashed; frame != nullptr; frame = frame->caller.get()) {
      state.add(frame->return_to);
      state.add(frame->values, frame->code->constants_offset);
      state.add(frame->defined, frame->code->register_count * sizeof(Mask));
    }
  }
  fingerprint_ = state.value();
  return *fingerprint_;
}

Finding Warp::finding(const Op& op, Mask lanes, FindingClass kind, std::string message,
                      std::optional<MemoryPlace> memory) const {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.source = source_place(*block_->launch().program, *frame_->code, op);
  finding.thread = block_->place(index_, lowest(lanes));
  finding.memory = std::move(memory);
  return finding;
}

void Warp::report(const Op& op, Mask lanes, FindingClass kind, std::string message,
                  std::optional<MemoryPlace> memory) {
  block_->add_finding(finding(op, lanes, kind, std::move(message), std::move(memory)));
}

Flow Warp::fault(const Op& op, Mask lanes, FindingClass kind, std::string message,
                 std::optional<MemoryPlace> memory) {
  report(op, lanes, kind, std::move(message), std::move(memory));
  block_->stop();
  return Flow::leave;
}

bool Warp::goes_on_after(const Op& op, Mask lanes, FindingClass kind, std::string message,
                         std::optional<MemoryPlace> memory) {
  report(op, lanes, kind, std::move(message), std::move(memory));
  if (block_->launch().keep_going) {
    block_->shorten_budget();
    return true;
  }
  block_->stop();
  return false;
}

Flow Warp::skip_after(const Op& op, Mask lanes, FindingClass kind, std::string message,
                      std::optional<MemoryPlace> memory) {
  return goes_on_after(op, lanes, kind, std::move(message), std::move(memory)) ? Flow::next
                                                                               : Flow::leave;
}

bool Warp::goes_on_with_undefined(const Op& op, Slot slot, Mask unknown, const char* message) {
  if (!goes_on_after(op, unknown, FindingClass::uninitialized_read, message)) return false;
  set_defined(slot, unknown, kAllLanes);
  return true;
}

Flow Warp::stop_unsupported(const Op& op) {
  block_->unsupported =
      device::Unsupported{op.detail->form, op.detail->message, op.detail->section,
                          source_place(*block_->launch().program, *frame_->code, op)};
  block_->stop();
  return Flow::leave;
}

}  // namespace warpcheck::machine

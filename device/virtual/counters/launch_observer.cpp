#include "device/virtual/counters/launch_observer.hpp"

#include "device/virtual/machine/block/fragment_loop.hpp"

namespace warpcheck::counters {
namespace {

/// The results of the blocks that one Block object runs.
struct BlockSums : machine::BlockObserver {
  const Counters* counters = nullptr;
  Counts counts;
  Covered covered;

  void transfer(const machine::Warp&, const machine::Op& op, std::uint64_t bytes) override {
    if (counters != nullptr) counters::count_transfer(counts, op, bytes);
  }
};

template <bool Count, bool Cover>
struct Observer final : BlockSums {
  void before(const machine::Warp& warp, const machine::Op& op, machine::Mask lanes) {
    if constexpr (Count) counters->count(counts, warp, op, lanes);
    if constexpr (Cover) covered.note(warp, op, lanes);
  }
  void after(const machine::Warp& warp, const machine::Op& op) {
    if constexpr (Cover) covered.note_result(warp, op);
  }
};

template <bool Count, bool Cover>
constexpr machine::FragmentLoops kLoops = machine::loops_with<Observer<Count, Cover>>();

}  // namespace

LaunchObserver::LaunchObserver(const machine::Program& program, bool count, bool cover)
    : program_(program), cover_(cover) {
  if (count) counters_.emplace(program);
}

const machine::FragmentLoops& LaunchObserver::loops() const {
  if (!counters_) return kLoops<false, true>;
  return cover_ ? kLoops<true, true> : kLoops<true, false>;
}

std::unique_ptr<machine::BlockObserver> LaunchObserver::make_block_observer() const {
  std::unique_ptr<BlockSums> observer;
  if (!counters_) {
    observer = std::make_unique<Observer<false, true>>();
  } else if (cover_) {
    observer = std::make_unique<Observer<true, true>>();
  } else {
    observer = std::make_unique<Observer<true, false>>();
  }
  if (counters_) {
    observer->counters = &*counters_;
    observer->counts = counters_->none();
  }
  if (cover_) observer->covered = nothing_covered(program_);
  return observer;
}

void LaunchObserver::add(const machine::BlockObserver& observer) {
  const auto& sums = static_cast<const BlockSums&>(observer);
  counters::add(counts_, sums.counts);
  covered_ += sums.covered;
}

std::vector<device::InstructionCounts> LaunchObserver::counts() const {
  if (!counters_ || counts_.empty()) return {};
  return counters_->by_instruction(counts_);
}

device::Coverage LaunchObserver::coverage() const {
  if (!cover_ || covered_.ops.empty()) return {};
  return coverage_of(program_, covered_);
}

}  // namespace warpcheck::counters

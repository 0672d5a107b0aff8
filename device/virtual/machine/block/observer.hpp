// Observers of the instructions of a launch: counters, coverage. The type of the observer is a
// template parameter of the loop that executes instructions (fragment_loop.hpp). A launch without
// observers therefore runs a loop without calls to them.
#pragma once

#include <cstdint>
#include <memory>

namespace warpcheck::machine {

class Warp;
struct Op;

/// The places where a fragment's turn may end before the fragment leaves. `only`: nowhere;
/// `one_of_several`: where it may meet others; `interrupted`: also at the end of its quantum.
enum class FragmentTurn : std::uint8_t { only, one_of_several, interrupted };

/// Executes the running fragment of a warp; see Warp::run_fragment().
using FragmentLoop = std::uint64_t (*)(Warp&, std::uint64_t quantum);

/// The loops, compiled for one type of observer.
struct FragmentLoops {
  FragmentLoop only;  // loop of a warp with one fragment
  FragmentLoop one_of_several;
  FragmentLoop interrupted;
};

/// The loops of a launch without observers.
[[nodiscard]] const FragmentLoops& unobserved_loops();

/// Base of the observers of the blocks that one Block object executes. A derived class defines
///   void before(const Warp&, const Op&, Mask lanes);  // `lanes` reached the op
///   void after(const Warp&, const Op&);               // the warp continues with the next op
/// The loops for that class call both functions. The class may define undefined_guard(), too.
class BlockObserver {
 public:
  BlockObserver() = default;
  BlockObserver(const BlockObserver&) = delete;
  BlockObserver& operator=(const BlockObserver&) = delete;
  virtual ~BlockObserver() = default;

  /// Called if the guard of an op is undefined in one of the running lanes. The op is not executed,
  /// unless the launch continues; then before() follows.
  static void undefined_guard(const Warp&, const Op&) {}

  /// Called when a bulk copy of one lane reads or writes `bytes` of global memory.
  virtual void transfer(const Warp& warp, const Op& op, std::uint64_t bytes) = 0;
};

/// Makes the observers of a launch's blocks and adds up their results.
class LaunchObserver {
 public:
  LaunchObserver() = default;
  LaunchObserver(const LaunchObserver&) = delete;
  LaunchObserver& operator=(const LaunchObserver&) = delete;
  virtual ~LaunchObserver() = default;

  /// The loops for the class of the block observers.
  [[nodiscard]] virtual const FragmentLoops& loops() const = 0;
  /// Several host threads may call this at once.
  [[nodiscard]] virtual std::unique_ptr<BlockObserver> make_block_observer() const = 0;
  /// Adds the results of one block observer. Only one host thread at a time calls this.
  virtual void add(const BlockObserver& observer) = 0;
};

}  // namespace warpcheck::machine

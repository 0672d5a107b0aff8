// Litmus tests of the PTX memory model: a few threads that access a few places in global memory.
//
// A thread is a list of instructions, separated by ";". They are written as in PTX, without types
// and state spaces: "st.release.gpu x 1", "ld r0 x", "atom.acq_rel.cta.exch r1 y 2",
// "red.relaxed.gpu.add x 1", "fence.sc.gpu", "bar" (a barrier of the block). A store may take its
// value from a register, "st y r0". "... if r0=1" at the end of an instruction makes it
// conditional. A register is used by one thread. All bytes are 0 at first.
//
// An access has 4 bytes, or N with the modifier ".bN", from an offset on: "st.relaxed.gpu.b2 y+2
// 1". "bar.sync 1" and "bar.arrive 1" are a named barrier of all threads of the block whose program
// has it. "bulk x 1" copies 16 bytes that begin with a word of this value to x, asynchronously;
// "wait" waits for the writes of the thread's copies, "wait.read" only for their reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::litmus {

inline constexpr unsigned kRegisters = 10;
inline constexpr unsigned kLocations = 3;  // x, y, z
inline constexpr unsigned kLocationBytes = 16;
inline constexpr unsigned kClusterBlocks = 2;
inline constexpr int kUnset = 9;  // the value of a register that nothing was loaded to

enum class Kind { load, store, atomic, fence, barrier, bulk, wait };
enum class Order { weak, relaxed, acquire, release, acq_rel, sc };
enum class AccessScope { cta, cluster, gpu, sys };

struct Condition {
  unsigned reg = 0;
  int value = 0;
};

struct Instruction {
  Kind kind = Kind::fence;
  Order order = Order::weak;
  AccessScope reach = AccessScope::sys;  // scope of a strong access
  unsigned location = 0;                 // its number
  unsigned offset = 0;                   // bytes from the beginning of the location
  unsigned bytes = 4;
  unsigned barrier = 0;            // its number
  bool waits = true;               // true: it waits at the barrier, or for the writes of copies
  std::optional<unsigned> result;  // register of a load or an atomic
  std::optional<unsigned> source;  // register that is stored
  int value = 0;                   // that is stored without it, or added
  bool adds = false;               // an atomic; otherwise it exchanges
  std::optional<Condition> only_if;
  std::string opcode;

  [[nodiscard]] bool reads() const { return kind == Kind::load || kind == Kind::atomic; }
  [[nodiscard]] bool writes() const {
    return kind == Kind::store || kind == Kind::atomic || kind == Kind::bulk;
  }
  [[nodiscard]] bool strong() const { return order != Order::weak; }
  [[nodiscard]] bool acquires() const;
  /// The value of a result register after these bytes were read: 8 bytes are folded to 4.
  [[nodiscard]] std::int64_t folded(std::int64_t read) const;
  [[nodiscard]] bool releases() const;
};

struct Program {
  std::string name;
  bool in_clusters = false;  // the launch has clusters of kClusterBlocks blocks
  std::vector<std::vector<Instruction>> threads;
};

/// The values of all registers at the end.
using Outcome = std::array<int, kRegisters>;
/// "r0=1 r1=0"; registers that are not set are left out.
[[nodiscard]] std::string text_of(const Outcome& outcome);

/// Where each thread of a program runs.
struct Place {
  unsigned block = 0;
  unsigned warp = 0;
  unsigned lane = 0;
};
using Placement = std::vector<Place>;
/// "0.0.0 1.0.0": block, warp and lane of each thread.
[[nodiscard]] std::string text_of(const Placement& placement);

/// Throws std::runtime_error if a thread is not in the format above.
[[nodiscard]] Program parse(std::string name, const std::vector<std::string>& threads);

/// True if the thread has a bulk copy.
[[nodiscard]] bool copies(const std::vector<Instruction>& thread);

/// The number of barriers of the whole block of a thread.
[[nodiscard]] std::ptrdiff_t barriers_of(const std::vector<Instruction>& thread);

/// The kernel "f" of the program. It writes register r to word r of its output.
[[nodiscard]] std::string ptx_of(const Program& program, const Placement& placement);

}  // namespace warpcheck::litmus

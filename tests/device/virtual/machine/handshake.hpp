// Kernels whose threads wait for one another by flags in memory, and the end of each by a model
// that executes one step of any thread at a time. Flags only grow, so that the end is the same for
// every order of the steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace warpcheck::machine::test {

/// Sets the flag of the role, or waits until the flag of another role has at least a value.
struct Step {
  enum class Kind : std::uint8_t { set, wait };
  Kind kind = Kind::set;
  unsigned role = 0;  // the owner of the flag
  std::uint32_t value = 0;
};

enum class Placement : std::uint8_t { one_warp, several_warps, blocks };
enum class Access : std::uint8_t { volatile_, relaxed, release_acquire, atomic };
/// How the threads that have no role, and in the end those that have one, meet.
enum class Meeting : std::uint8_t {
  none,
  block_barrier,
  named_barrier,
  warp_barrier,
  shuffle,
  mbarrier
};

struct Handshake {
  Placement placement = Placement::one_warp;
  Access access = Access::volatile_;
  Meeting meeting = Meeting::none;
  bool shared = false;       // the flags are in shared memory
  bool by_calls = false;     // functions read and set the flags
  bool counts = false;       // a loop that waits counts its iterations
  std::uint32_t rounds = 1;  // each role executes its steps in a loop; values grow by `stride`
  std::uint32_t stride = 0;
  std::vector<std::vector<Step>> roles;
  std::vector<unsigned> threads;  // threads of the roles in their block; distinct unless the roles
                                  // have blocks of their own
  unsigned block = 32;            // threads

  [[nodiscard]] unsigned blocks() const;
  /// The module, with an entry "f" as test::run_module() launches it. The flags are those of shared
  /// variable "flags", or the first elements of "out"; element kEnded + i of "out" becomes 1 when
  /// thread i of the grid ends.
  [[nodiscard]] std::string ptx() const;
  [[nodiscard]] std::string describe() const;
};

inline constexpr unsigned kMostRoles = 5;
inline constexpr unsigned kEnded = 16;

/// The end of a handshake: the final flags, and the wait at which each role is stuck.
struct End {
  struct Stuck {
    unsigned role = 0;
    Step wait;  // waits for the value of its round
  };
  std::vector<std::uint32_t> flags;
  std::vector<Stuck> stuck;
};
[[nodiscard]] End end_of(const Handshake& handshake);

/// A handshake that completes.
[[nodiscard]] Handshake correct_handshake(std::uint64_t seed);
/// One that does not: a flag that a role waits for is never set, or roles wait in a circle.
[[nodiscard]] Handshake deadlocking_handshake(std::uint64_t seed);

}  // namespace warpcheck::machine::test

// Random programs of several blocks, executed step by step by the race detector and by a model.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "tests/device/virtual/checks/race_model.hpp"

namespace warpcheck::checks {

/// An access or a synchronisation by lanes of a warp.
struct RaceStep {
  enum class Kind : std::uint8_t {
    access,
    block_barrier,  // the whole block
    warp_barrier,
    arrive,          // arrives at the named barrier; the lanes continue
    named_barrier,   // the whole warp and the next one wait, and the barrier completes
    release,         // releases to an object such as an mbarrier
    release_fenced,  // the same for what a fence precedes, as a relaxed arrival at a cluster
                     // barrier
    acquire,
    fence,
  };
  Kind kind = Kind::access;
  unsigned block = 0;
  unsigned warp = 0;
  Mask lanes = 1;
  Scope scope = Scope::device;

  // The rest describes an access.
  bool shared = false;  // true: the word is in the block's shared memory
  std::uint32_t op = 1;
  unsigned bytes = 4;
  unsigned begin = 0;   // first byte of the first lane's access
  unsigned stride = 0;  // distance of the lanes
  bool write = false;
  bool strong = false;
  bool update = false;
  bool observes = false;
  bool is_volatile = false;
  bool looks = false;      // a read with which no later write conflicts
  RaceModel::Order order;  // also of a fence
};

std::ostream& operator<<(std::ostream& stream, const RaceStep& step);

constexpr unsigned kRaceBytes = 128;  // bytes of each memory: a word for each lane

using RaceProgram = std::vector<RaceStep>;

/// Which steps a program may have.
struct RaceKinds {
  bool flags = true;      // fences, releases and acquires of words
  bool messages = false;  // nothing but messages between three threads through flags
  bool polls = false;     // nothing but strong accesses to a flag, and then a weak one
};

RaceProgram random_program(unsigned seed, unsigned steps, const RaceKinds& kinds);

struct RaceResult {
  unsigned racing = 0;  // words with a race
  unsigned clean = 0;   // words that were accessed without one
  /// The step after which the detector and the model disagree.
  std::optional<std::size_t> disagreement;
};

/// Executes a program. Accesses to a byte that has raced are left out.
RaceResult run(const RaceProgram& program);

/// Removes steps and lanes without which the program still disagrees.
RaceProgram shrink(RaceProgram program);

}  // namespace warpcheck::checks

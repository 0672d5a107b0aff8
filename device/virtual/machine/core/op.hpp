// A decoded instruction: nothing of it is looked up by name at run time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/virtual/machine/core/lanes.hpp"

namespace warpcheck::machine {

class Warp;
struct MatrixOperation;
struct Op;

/// What a handler tells the loop that runs it: go on with the next instruction, or leave the loop,
/// because the fragment waits, split, ended or met a fault.
enum class Flow : std::uint8_t { next, leave };

using Handler = Flow (*)(Warp&, const Op&);

/// A register or constant of a frame. The values of its 32 lanes lie `value` bytes into the frame;
/// a predicate is one Mask there. Its lane-wise definedness is the frame's mask number `index`.
struct Slot {
  std::uint32_t value = 0;
  std::uint32_t index = 0;

  friend bool operator==(const Slot&, const Slot&) = default;
};

/// What one lane of an instruction read, for working out which bits of its result are defined.
/// Predicates are 1-bit values.
struct LaneSources {
  std::array<std::uint64_t, 4> value{};
  std::array<std::uint64_t, 4> undefined{};  // bits set where the value's bit is undefined
};

/// The undefined bits of an instruction's result (bits beyond its width are ignored), in the manner
/// of valgrind's memcheck. Null: any undefined source bit makes all of the result undefined.
using DefinednessRule = std::uint64_t (*)(const LaneSources&);

/// Where the memory of an access lies (PTX ISA 5.1). The two kinds of param differ: a kernel's is
/// one for the grid, a device function's is one per thread and call.
enum class Space : std::uint8_t { generic, global, shared, local, constant, kernel_parameter };

/// How far a fence or a strong access reaches (PTX ISA 8.5). A cluster is no more than a block, for
/// launches have none; all that is beyond the block is the device.
enum class Scope : std::uint8_t { block, device };

/// Where control may go after an op.
enum class Successors : std::uint8_t { next, next_or_target, target, table, none };

/// What only some instructions have, kept out of line.
struct OpDetail {
  std::vector<Slot> elements;          // of vector operands: the members, `_` as no_slot()
  std::vector<std::uint32_t> targets;  // of brx.idx
  std::uint32_t callee = 0;            // of call: index of the function
  std::shared_ptr<const MatrixOperation> matrices;  // of mma and wmma
  std::string message;  // of an illegal instruction: what is wrong with it
};

inline constexpr Slot kNoSlot{~0u, ~0u};

/// Where an instruction with two results keeps the second: a carry, the other half of a `p|q` pair.
inline constexpr unsigned kSecondResult = 5;

/// Numbers of operands that the observers of a launch read. Operand 0 of an access to memory is its
/// address.
inline constexpr unsigned kAddress = 0;
inline constexpr unsigned kResult = 0;
inline constexpr unsigned kBranchPredicate = 1;  // of a branch that lanes may take or not
inline constexpr unsigned kTableIndex = 1;       // of brx.idx
inline constexpr unsigned kMatrixStride = 1;     // of wmma.load and wmma.store, in elements
/// Of the op of cp.async that reads its source; kNoSlot where the instruction has none.
inline constexpr unsigned kSourceSize = 1;    // bytes that the lane reads
inline constexpr unsigned kIgnoreSource = 2;  // predicate: the lane reads nothing

struct Op {
  Handler run = nullptr;
  std::array<Slot, 6> operand{};  // the destination, up to four sources, a second destination
  std::int64_t immediate = 0;     // address offset in bytes, or the instruction's constant
  DefinednessRule rule = nullptr;
  const OpDetail* detail = nullptr;
  Slot guard;
  std::uint32_t target = 0;            // of branches: index of the op to go on with
  std::uint32_t instruction = 0;       // index into ptx::Function::body
  std::array<std::uint8_t, 6> bits{};  // width of each operand's lanes: 1 for predicates
  std::uint8_t sources = 0;            // how many of `operand`, from 1 on, are sources
  std::uint8_t negated_sources = 0;    // a bit per operand: a predicate read as its complement
  Space space = Space::generic;
  Successors successors = Successors::next;
  bool guarded = false;
  bool guard_negated = false;
  bool wide_address = true;  // the address register has 64 bits
  bool strong = false;       // volatile, relaxed ... or atomic: may serve as a flag between threads
  Scope scope = Scope::device;  // of a strong access or a fence
  bool acquires = false;
  bool releases = false;
  bool leader = false;          // first of a basic block: lanes may meet here
  bool frame_relative = false;  // the address is within the running call's local memory
};

/// Whether threads may take the op as a branch or continue behind it.
[[nodiscard]] inline bool is_branch(const Op& op) {
  return op.successors == Successors::next_or_target;
}

}  // namespace warpcheck::machine

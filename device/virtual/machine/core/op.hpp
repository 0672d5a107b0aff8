// Op: a decoded instruction, which needs no lookup by name at run time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/virtual/machine/core/lanes.hpp"

namespace warpcheck::machine {

class Warp;
struct MatrixOperation;
struct Op;

/// The result of a handler. `next`: the loop continues with the next instruction. `leave`: it
/// leaves the fragment, which waits, was split, ended or faulted.
enum class Flow : std::uint8_t { next, leave };

using Handler = Flow (*)(Warp&, const Op&);

/// A register or constant of a frame. The values of its 32 lanes are at byte `value` of the frame;
/// a predicate is one Mask there. Mask number `index` of the frame has a bit for each lane that is
/// defined.
struct Slot {
  std::uint32_t value = 0;
  std::uint32_t index = 0;

  friend bool operator==(const Slot&, const Slot&) = default;
};

/// The sources of one lane of an instruction, from which a rule computes the undefined bits of the
/// result. Predicates are 1-bit values.
struct LaneSources {
  std::array<std::uint64_t, 4> value{};
  std::array<std::uint64_t, 4> undefined{};  // a bit is set if that bit of the value is undefined
};

/// Computes the undefined bits of an instruction's result as valgrind's memcheck does; bits beyond
/// its width are ignored. Null: any undefined source bit makes all of the result undefined.
using DefinednessRule = std::uint64_t (*)(const LaneSources&);

/// The state space of an access (PTX ISA 5.1). Parameters of a kernel exist once per grid;
/// parameters of a device function exist per thread and call, in local memory.
enum class Space : std::uint8_t { generic, global, shared, local, constant, kernel_parameter };

/// The scope of a fence or a strong access (PTX ISA 8.5), each contained in the next one: .cta,
/// .cluster, and .gpu or .sys.
enum class Scope : std::uint8_t { block, cluster, device };
inline constexpr std::array kScopes = {Scope::block, Scope::cluster, Scope::device};

/// The path of a load. Some caches are not coherent with writes of the kernel that loads.
enum class ReadPath : std::uint8_t {
  coherent,
  // No thread of the grid may have written the memory before (CUDA C++ Programming Guide, "Texture
  // and Surface Memory").
  texture,
  // No thread of the grid may write the memory, before or later: ld.global.nc, ldu (PTX ISA
  // 9.7.9.9, 9.7.9.10).
  read_only,
};

/// The possible successors of an op.
enum class Successors : std::uint8_t { next, next_or_target, target, table, none };

/// A register of products of a warpgroup (wgmma) that another instruction accesses.
struct TouchedRegister {
  Slot slot;
  unsigned number = 0;  // number in the function
  bool written = false;
};

/// Data that only some instructions have. They are not in Op, which stays small.
/// An object of 1 or 2 bytes in the word that an op accesses.
struct ObjectInWord {
  Slot pointer;            // address of the object, or its lowest 32 bits
  bool is_wide = true;     // the pointer has 64 bits
  std::uint8_t word = 0;   // bytes of the word
  std::uint8_t bytes = 0;  // bytes of the object; 0: the op accesses a whole word
};

struct OpDetail {
  std::vector<Slot> elements;  // members of vector operands; `_` is kNoSlot
  // The width of a call's element that is a register or constant; 0: the value of the element is an
  // offset in the caller's stack frame.
  std::vector<std::uint8_t> element_bits;
  std::vector<std::uint32_t> targets;               // targets of brx.idx
  std::uint32_t callee = 0;                         // call: index of the function
  std::uint32_t results = 0;                        // indirect call: number of results
  std::shared_ptr<const MatrixOperation> matrices;  // mma and wmma
  std::optional<std::uint8_t> reduction;            // bulk copy: number of its reduction
  std::uint8_t reduced_type = 0;         // type of the reduction, unless a tensor map has it
  bool generic_proxy = false;            // bulk copy: uses the generic proxy, not the async proxy
  std::vector<TouchedRegister> touched;  // the op reports these registers, and then runs `inner`
  Handler inner = nullptr;
  ObjectInWord object;
  // The description of an instruction that the machine cannot execute: see device::Unsupported.
  std::string form;
  std::string message;
  std::string section;
};

inline constexpr Slot kNoSlot{~0u, ~0u};

/// The detail of an op that needs none.
inline const OpDetail kNoDetail{};

/// The number of resolved addresses that a block keeps: see known_address.hpp.
inline constexpr std::uint8_t kKnownAddresses = 8;

/// The operand for the second result of an instruction: a carry, or q of a `p|q` pair.
inline constexpr unsigned kSecondResult = 5;

/// Numbers of operands that the observers of a launch read. Operand 0 of an access to memory is its
/// address.
inline constexpr unsigned kAddress = 0;
inline constexpr unsigned kResult = 0;
inline constexpr unsigned kBranchPredicate = 1;  // predicate of a conditional branch
inline constexpr unsigned kTableIndex = 1;       // index of brx.idx
inline constexpr unsigned kMatrixStride = 1;     // stride of wmma.load and wmma.store, in elements
/// Operands of the op of cp.async that reads the source; either may be kNoSlot.
inline constexpr unsigned kSourceSize = 1;    // bytes that the lane reads
inline constexpr unsigned kIgnoreSource = 2;  // predicate: the lane reads nothing

struct Op {
  Handler run = nullptr;
  std::array<Slot, 6> operand{};  // the destination, up to four sources, a second destination
  std::int64_t immediate = 0;     // address offset in bytes, or the instruction's constant
  DefinednessRule rule = nullptr;
  const OpDetail* detail = &kNoDetail;  // never null
  Slot guard;
  std::uint32_t target = 0;            // branches: index of the target op
  std::uint32_t instruction = 0;       // index into ptx::Function::body
  std::uint32_t number = 0;            // number in the program
  std::array<std::uint8_t, 6> bits{};  // width of each operand's lanes: 1 for predicates
  std::uint8_t sources = 0;            // number of sources in `operand`, from 1 on
  // Bit mask of operands: predicates that are read as their complement.
  std::uint8_t negated_sources = 0;
  std::uint8_t read_registers = 0;     // bit mask of operands: registers that are read
  std::uint8_t written_registers = 0;  // bit mask of operands: registers that are written
  Space space = Space::generic;
  Successors successors = Successors::next;
  bool guarded = false;
  bool guard_negated = false;
  bool wide_address = true;  // the address register has 64 bits
  bool strong = false;  // volatile, relaxed or atomic access, which may be a flag between threads
  bool is_volatile = false;     // volatile access, which is also strong
  Scope scope = Scope::device;  // scope of a strong access or a fence
  bool acquires = false;
  bool releases = false;
  // The bytes of each scalar of a strong access: members of vectors and of packed types are
  // separate accesses (PTX ISA 8.2). 0: the access is one scalar.
  std::uint8_t scalar_bytes = 0;
  ReadPath path = ReadPath::coherent;  // path of a load
  bool leader = false;                 // first op of a basic block: fragments may merge here
  bool frame_relative = false;         // the address is relative to the running call's local memory
  bool loads = false;                  // ld: writes operand 1, or its elements
  bool stores = false;                 // st: writes no register
  // The number of an address that several accesses in a straight run of ops compute from one
  // address register, and whether an earlier op of the run has resolved it: see address_runs.cpp.
  std::uint8_t known_address = kKnownAddresses;
  bool repeats_address = false;
};

/// True for a conditional branch.
[[nodiscard]] inline bool is_branch(const Op& op) {
  return op.successors == Successors::next_or_target;
}

}  // namespace warpcheck::machine

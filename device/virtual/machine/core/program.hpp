// Program: a decoded module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/gpu_model.hpp"
#include "device/virtual/machine/core/op.hpp"
#include "ptx/module.hpp"

namespace warpcheck::machine {

/// A parameter of a kernel or device function: its place in the parameter bytes, or the register
/// that holds it.
struct ParameterPlace {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  Slot reg = kNoSlot;
};

/// A variable with its address in its state space.
struct PlacedVariable {
  std::string name;           // the C++ name without its scope
  std::uint64_t address = 0;  // address in its space
  std::size_t bytes = 0;
  std::size_t alignment = 1;  // declared alignment in bytes
};

struct FunctionCode {
  const ptx::Function* source = nullptr;
  std::vector<Op> ops;
  std::uint32_t first_op = 0;  // number of ops[0] in the program
  // Rank of each op. Lanes at a lower rank run first, so that they reconverge.
  std::vector<std::uint32_t> rank;
  std::vector<std::unique_ptr<OpDetail>> details;

  std::size_t value_bytes = 0;     // bytes of a frame's registers and constants
  std::size_t register_count = 0;  // definedness masks of registers; those of constants follow
  std::size_t constant_count = 0;
  std::size_t constants_offset = 0;  // offset of the constants in a frame
  std::vector<std::byte> constants;  // initial bytes of the constants in a frame

  // An entry's parameters have places in the parameter bytes.
  std::vector<ParameterPlace> parameters;
  std::vector<ParameterPlace> return_parameters;  // a function's have places in its local memory
  std::size_t parameter_bytes = 0;
  std::size_t local_bytes = 0;  // .param and .local variables of a thread
  // Static shared variables that it may access, sorted by address.
  std::vector<PlacedVariable> shared;
  std::size_t shared_bytes = 0;  // static shared memory of a block; entries only
  std::size_t shared_unit = 4;   // bytes of the smallest access to shared memory, at most 4
  bool cooperative = false;      // synchronises the grid: all its blocks must be resident
  // Blocks may wait for each other or order each other: atomics, volatile accesses.
  bool communicates = false;
  bool uses_cluster = false;  // uses the cluster's barrier or the shared memory of its other blocks
  bool reads_by_async_proxy = false;  // bulk copies read shared memory
  std::string refused;                // reason why no GPU can launch the entry; empty: a GPU can
};

/// A variable of .global or .const at the start of a job.
struct GlobalVariable {
  std::string name;
  std::vector<std::byte> initial;  // the first bytes; the others are zero
  std::size_t bytes = 0;
  bool read_only = false;
  bool managed = false;       // true: the host has placed it
  std::uint64_t address = 0;  // address of its first byte
};

/// The system's shared memory of a block in bytes (PTX ISA 10, %reserved_smem_offset_...), and the
/// offset of the part that cooperative groups use, which is at least 288 bytes.
inline constexpr std::uint64_t kReservedShared = device::kReservedBlockShared;
inline constexpr std::uint64_t kReservedForGroups = 512;

/// The windows of the generic address space. Each global allocation has 64 GiB of addresses, with
/// its first byte in the middle, so that an index far out of bounds in either direction still
/// identifies the allocation.
inline constexpr std::uint64_t kSharedWindow = 0x0100'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x0200'0000'0000;
inline constexpr std::uint64_t kParameterWindow = 0x0300'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0001'0000'0000;
inline constexpr std::uint64_t kGlobalBase = 0x7000'0000'0000;
inline constexpr unsigned kGlobalSlotBits = 36;

/// The address of the first byte of global allocation number `slot`.
[[nodiscard]] constexpr std::uint64_t global_address(std::uint64_t slot) {
  return kGlobalBase + (slot << kGlobalSlotBits) + (std::uint64_t{1} << (kGlobalSlotBits - 1));
}

class Program final : public device::Program {
 public:
  ptx::Module module;
  std::vector<FunctionCode> functions;  // same order as module.functions
  std::vector<PlacedVariable> shared;   // static shared variables, sorted by address
  // .global and .const variables; those of the module come first.
  std::vector<GlobalVariable> global_variables;
  std::uint64_t dynamic_shared = 0;   // address at which dynamic shared memory begins
  std::size_t dynamic_alignment = 1;  // declared alignment of dynamic shared memory in bytes
  std::uint64_t reserved_shared = 0;  // shared bytes of the system; 0: never accessed

  /// The kernel of this mangled name; null if there is none.
  [[nodiscard]] const FunctionCode* find_entry(std::string_view name) const;
  /// The function that contains the op of this number.
  [[nodiscard]] const FunctionCode& function_of(std::uint32_t op) const;
  [[nodiscard]] SourcePlace place(std::uint32_t op) const override;
  [[nodiscard]] std::vector<device::ProgramFunction> functions_by_number() const override;
};

}  // namespace warpcheck::machine

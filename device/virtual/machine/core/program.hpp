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
  std::uint64_t address = 0;  // in its space
  std::size_t bytes = 0;
  std::size_t alignment = 1;  // as declared, in bytes
};

struct FunctionCode {
  const ptx::Function* source = nullptr;
  std::vector<Op> ops;
  std::uint32_t first_op = 0;  // number of ops[0] in the program
  std::vector<std::uint32_t>
      rank;  // of each op: lanes at a lower rank run first, so that they reconverge
  std::vector<std::unique_ptr<OpDetail>> details;

  std::size_t value_bytes = 0;     // of a frame: registers, then constants
  std::size_t register_count = 0;  // definedness masks of the registers; the constants' follow
  std::size_t constant_count = 0;
  std::size_t constants_offset = 0;  // where in a frame the constants begin
  std::vector<std::byte> constants;  // the initial bytes of the constants in a frame

  std::vector<ParameterPlace> parameters;         // of an entry: in the parameter bytes
  std::vector<ParameterPlace> return_parameters;  // of a function: in its local memory
  std::size_t parameter_bytes = 0;
  std::size_t local_bytes = 0;         // per thread: .param and .local variables
  std::vector<PlacedVariable> shared;  // static shared variables that it may access, by address
  std::size_t shared_bytes = 0;        // of an entry: static shared memory of a block
  std::size_t shared_unit = 4;         // bytes of the smallest access to shared memory, at most 4
  bool cooperative = false;            // synchronises the grid: all its blocks must be resident
  bool communicates = false;          // blocks may wait for or order one another: atomics, volatile
  bool uses_cluster = false;          // its barrier, or the shared memory of its other blocks
  bool reads_by_async_proxy = false;  // bulk copies read shared memory
  std::string refused;                // of an entry: why no GPU can launch it; empty: one can
};

/// A variable of .global or .const at the start of a job.
struct GlobalVariable {
  std::string name;
  std::vector<std::byte> initial;  // the first bytes; the others are zero
  std::size_t bytes = 0;
  bool read_only = false;
  bool managed = false;       // the host has placed it
  std::uint64_t address = 0;  // of its first byte
};

/// The system's shared memory of a block in bytes (PTX ISA 10, %reserved_smem_offset_...), and the
/// offset of the part that cooperative groups use, which is at least 288 bytes.
inline constexpr std::uint64_t kReservedShared = device::kReservedBlockShared;
inline constexpr std::uint64_t kReservedForGroups = 512;

/// The windows of the generic address space. Each global allocation has 64 GiB of addresses with
/// its first byte in the middle, so that an index far out of bounds still identifies the
/// allocation, on both sides.
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
  std::vector<FunctionCode> functions;           // in the order of module.functions
  std::vector<PlacedVariable> shared;            // static shared variables, by address
  std::vector<GlobalVariable> global_variables;  // .global and .const, first those of the module
  std::uint64_t dynamic_shared = 0;              // where dynamic shared memory begins
  std::size_t dynamic_alignment = 1;             // of dynamic shared memory, as declared, in bytes
  std::uint64_t reserved_shared = 0;             // bytes of it for the system; 0: never accessed

  /// The kernel of this mangled name; null if there is none.
  [[nodiscard]] const FunctionCode* find_entry(std::string_view name) const;
  /// The function that contains the op of this number.
  [[nodiscard]] const FunctionCode& function_of(std::uint32_t op) const;
  [[nodiscard]] SourcePlace place(std::uint32_t op) const override;
  [[nodiscard]] std::vector<device::ProgramFunction> functions_by_number() const override;
};

}  // namespace warpcheck::machine

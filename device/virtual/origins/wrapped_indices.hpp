// Integers that do not fit into their type, and the accesses whose addresses are computed from
// them: "a 32-bit index overflows". For each register that such an integer reaches, this also keeps
// the value that the same instructions give without a limit of the width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "device/finding.hpp"
#include "device/virtual/machine/block/warp.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::origins {

/// A type that is wide enough for a product of two values of 64 bits.
__extension__ using Wide = __int128;

/// The accesses that would be to another place in the same buffer if there were no overflow.
class WrappedAccesses {
 public:
  struct Overflow {
    std::uint32_t op = 0;  // op whose result does not fit
    unsigned bits = 0;
    bool is_signed = false;
    MemoryPlace memory;         // memory that is accessed
    std::ptrdiff_t offset = 0;  // offset of the access without the overflow
  };
  bool correct = false;  // the accesses are made without the overflow

  /// Adds an access of an op.
  void add(std::uint32_t op, Overflow overflow);
  /// The overflow that affects an instruction's access to a place; empty if there is none.
  [[nodiscard]] std::optional<IndexOverflow> of(const machine::Program& program,
                                                const SourcePlace& instruction,
                                                const MemoryPlace& place) const;
  /// One overflow for each access.
  [[nodiscard]] std::vector<IndexOverflow> all(const machine::Program& program) const;

 private:
  // Maps the op and the place of an access to its overflow.
  std::map<std::tuple<std::uint32_t, std::string, std::ptrdiff_t>, Overflow> accesses_;
};

/// Follows the integers of one block at a time, in the kernel itself.
class WrappedIndices {
 public:
  explicit WrappedIndices(WrappedAccesses& accesses) : accesses_(accesses) {}

  void start() { registers_.clear(); }
  void before(machine::Warp& warp, const machine::Op& op, const std::vector<std::string>& parts);
  void after(const machine::Warp& warp, const machine::Op& op);

 private:
  static constexpr std::uint32_t kFits = ~std::uint32_t{0};
  /// A value without a limit of its width, if the registers and constants from which it is computed
  /// are read as signed or as unsigned integers. `op` is the op whose result does not fit; kFits:
  /// none.
  struct Reading {
    Wide value = 0;
    std::uint32_t op = kFits;
    std::uint8_t bits = 0;  // width of the type of `op`
    bool is_signed = false;
  };
  struct Exact {
    Reading as_signed;
    Reading as_unsigned;
  };
  using Lanes = std::array<Exact, machine::kLanes>;

  /// An instruction whose result is one of its sources, or a linear function of them.
  enum class Act : std::uint8_t {
    none,
    copy,
    add,
    subtract,
    negate,
    multiply,
    multiply_add,
    shift,
    join,  // `or` of two values without a common bit
    narrow,
    select,
  };
  struct Rule {
    Act act = Act::none;
    bool decides = false;    // the result is wider than the value that is read, and so has its sign
    bool is_signed = false;  // sign of that result
    unsigned bits = 0;       // narrow: width of the type to which the value is reduced
    std::size_t access = 0;  // bytes of an access to memory; 0: no access
    std::size_t element = 0;  // bytes of one element of the access
    bool writes = false;
  };
  [[nodiscard]] static Rule rule_of(const machine::Op& op, const std::vector<std::string>& parts);
  [[nodiscard]] static Rule narrowing_rule(const machine::Op& op,
                                           const std::vector<std::string>& parts);

  [[nodiscard]] static std::uint64_t key_of(const machine::Warp& warp, machine::Slot slot) {
    return std::uint64_t{warp.index()} << 32 | slot.index;
  }
  [[nodiscard]] Exact value_of(const machine::Warp& warp, const machine::Op& op, unsigned operand,
                               unsigned lane) const;
  [[nodiscard]] std::optional<Exact> result(const machine::Warp& warp, const machine::Op& op,
                                            unsigned lane) const;
  [[nodiscard]] unsigned index_bits(unsigned bits) const;
  void note_accesses(machine::Warp& warp, const machine::Op& op);
  [[nodiscard]] bool keep(const machine::Warp& warp, const machine::Op& op, unsigned lane,
                          Exact& exact) const;

  WrappedAccesses& accesses_;
  std::unordered_map<std::uint32_t, Rule> rules_;  // indexed by op
  // Registers with an integer that does not fit.
  std::unordered_map<std::uint64_t, Lanes> registers_;
  // State of the op that runs.
  Rule rule_;
  std::array<std::optional<Exact>, machine::kLanes> results_;
};

}  // namespace warpcheck::origins

// The products of warpgroups, four consecutive warps (wgmma, PTX ISA 9.7.15). Each warp computes
// its 16 rows when it issues the product. Until a wait for its group, the registers and the shared
// memory of a product are in flight. All warps of a group also execute the same setmaxnreg
// (9.7.19.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "device/virtual/checks/async_copy_tracker.hpp"
#include "device/virtual/machine/block/block.hpp"

namespace warpcheck::machine {

inline constexpr unsigned kWarpsOfGroup = 4;

/// The registers of a product in one warp. Products of one shape add to the same accumulators in
/// the order of their issue.
struct ProductRegisters {
  std::span<const Slot> accumulators;
  std::span<const Slot> factors;  // registers of A; empty if A is in shared memory
  std::uint64_t shape = 0;
};

/// 16 bytes of shared memory that a product reads.
struct ChunkRead {
  const Container* container = nullptr;
  std::uint64_t offset = 0;
};

class WarpgroupProducts {
 public:
  void start(std::size_t warps);

  /// Executes wgmma.fence, which orders earlier accesses to registers and later products.
  void fence(unsigned warp);
  /// Reports accesses to the registers of a product that require a fence, or a wait, before it.
  void check_registers(Warp& warp, const Op& op, const ProductRegisters& registers);
  /// Issues a product. Returns false if the other warps of the group multiply different matrices,
  /// which is a finding. `operands` identifies the matrices in shared memory.
  [[nodiscard]] bool issue(Warp& warp, const Op& op, const ProductRegisters& registers,
                           std::uint64_t operands, std::span<const ChunkRead> reads);
  /// Commits the products that the warp has issued since its last commit as a group.
  void commit(unsigned warp) { ++warps_[warp].groups; }
  /// Waits for all groups except the last `pending` groups. Returns false if the warps of the group
  /// have issued different numbers of products.
  [[nodiscard]] bool wait(Warp& warp, std::uint32_t pending);

  /// Checks an instruction other than wgmma that accesses registers of products.
  void touch(Warp& warp, const Op& op);

  /// Records that the warp executes setmaxnreg. Returns false if another warp of the group has
  /// executed a different one, which is a finding.
  [[nodiscard]] bool set_registers(const Warp& warp, const Op& op);
  /// Records that the warp has ended. Reports a setmaxnreg that only some warps of its group
  /// executed.
  void exit(Warp& warp);

 private:
  struct Product {
    const Op* op = nullptr;
    const FunctionCode* code = nullptr;
    std::uint64_t number = 0;
    std::uint32_t group = 0;
    ProductRegisters registers;
  };
  struct Write {
    const Op* op = nullptr;
    const FunctionCode* code = nullptr;
    std::uint64_t time = 0;
  };
  struct RegisterRequest {
    const Op* op = nullptr;
    const FunctionCode* code = nullptr;
  };
  struct PerWarp {
    std::vector<Product> in_flight;  // sorted by issue
    std::uint32_t groups = 0;        // number of groups that the warp has committed
    std::uint64_t issued = 0;
    std::uint64_t time = 0;
    std::uint64_t fenced = 0;                         // time of the last fence; 0: none
    std::unordered_map<std::uint32_t, Write> writes;  // writes to registers of products, by slot
    std::vector<RegisterRequest> requests;
    bool ended = false;
  };
  /// A product of all warps of a group.
  struct Shared {
    const Op* op = nullptr;
    std::uint64_t operands = 0;
    checks::AsyncCopyId id = checks::kNoAsyncCopy;
    unsigned waits = 0;  // number of warps that have waited
  };
  struct PerGroup {
    std::vector<Shared> products;  // products for which some warp has not waited
    std::uint64_t first = 0;       // number of products.front()
    unsigned waiting = 0;          // number of warps that have come to the wait
    std::uint64_t issued = 0;      // products that each of these warps issued
  };

  void take_chunks(Warp& warp, const Op& op, Shared& shared, std::span<const ChunkRead> reads);
  void complete(Warp& warp, std::uint64_t number);
  [[nodiscard]] std::span<PerWarp> group_of(unsigned warp);
  static void report(Warp& warp, const Op& op, const Write& other, bool other_writes, Race race);

  std::vector<PerWarp> warps_;
  std::vector<PerGroup> groups_;
};

}  // namespace warpcheck::machine

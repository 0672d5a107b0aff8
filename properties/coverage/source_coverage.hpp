// Which lines of a kernel's source its cases executed, and which ways its branches went.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/share.hpp"
#include "contract/compile/variant.hpp"
#include "device/coverage.hpp"

namespace warpcheck::device {
class Program;
}

namespace warpcheck::properties::coverage {

/// A conditional branch of the source. The compiler makes several of one where it inlines and
/// unrolls; they are told together by their column, and so that they mean the same: `taken` counts
/// executions in which some thread went on into what the condition guards or once more through its
/// loop, `not_taken` those in which some thread went past it.
struct BranchCoverage {
  unsigned column = 0;
  unsigned arm = 0;  // of a switch that jumps by a table, each of whose targets is taken or not
  std::uint64_t taken = 0;
  std::uint64_t not_taken = 0;

  friend bool operator==(const BranchCoverage&, const BranchCoverage&) = default;
};

/// A line that has instructions.
struct LineCoverage {
  unsigned line = 0;
  std::uint64_t warps = 0;               // executions of its most executed instruction by a warp;
                                         // where it is inlined in several places, of all together
  std::vector<BranchCoverage> branches;  // by column and arm

  friend bool operator==(const LineCoverage&, const LineCoverage&) = default;
};

/// A kernel.
struct FunctionCoverage {
  std::string name;  // as the contract calls it
  unsigned line = 0;
  std::uint64_t warps = 0;  // that began it

  friend bool operator==(const FunctionCoverage&, const FunctionCoverage&) = default;
};

struct FileCoverage {
  std::string file;
  std::vector<LineCoverage> lines;          // in their order
  std::vector<FunctionCoverage> functions;  // by line, then name

  friend bool operator==(const FileCoverage&, const FileCoverage&) = default;
};

struct SourceCoverage {
  std::vector<FileCoverage> files;  // by name

  /// Executed, of the lines that have instructions.
  [[nodiscard]] Share lines() const;
  /// Ways that were gone, of the two of each branch.
  [[nodiscard]] Share branches() const;

  friend bool operator==(const SourceCoverage&, const SourceCoverage&) = default;
};

/// What launches of a variant did, as lines of its `.cu` and of its headers. What stands in headers
/// of the CUDA Toolkit counts for the line that calls it, and their branches, which no case
/// decides, are none of the source's. A guarded instruction is a branch, too; a condition that the
/// compiler made a selection of values is none. No files where no launch completed.
[[nodiscard]] SourceCoverage source_coverage(const contract::Variant& variant,
                                             const device::Program& program,
                                             const device::Coverage& covered);

/// Adds what was covered of the same sources by another variant.
void merge(SourceCoverage& sum, const SourceCoverage& part);

}  // namespace warpcheck::properties::coverage

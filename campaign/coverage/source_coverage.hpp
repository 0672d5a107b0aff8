// Coverage of a kernel's source: executed lines and the directions of its branches.
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

namespace warpcheck::campaign::coverage {

/// A conditional branch of the source. Inlining and unrolling create several branches of one; they
/// are merged by their column. `taken` counts executions in which some thread entered the guarded
/// statement or the next iteration of the loop, `not_taken` those in which some thread skipped it.
struct BranchCoverage {
  unsigned column = 0;
  unsigned arm = 0;  // target of a switch that uses a jump table; each is taken or not
  std::uint64_t taken = 0;
  std::uint64_t not_taken = 0;

  friend bool operator==(const BranchCoverage&, const BranchCoverage&) = default;
};

/// A source line with instructions.
struct LineCoverage {
  unsigned line = 0;
  std::uint64_t warps = 0;  // executions of the line's most executed instruction by a warp, summed
                            // over the places where the line is inlined
  std::vector<BranchCoverage> branches;  // sorted by column, then by arm

  friend bool operator==(const LineCoverage&, const LineCoverage&) = default;
};

/// A kernel.
struct FunctionCoverage {
  std::string name;  // name in the contract
  unsigned line = 0;
  std::uint64_t warps = 0;  // warps that started the kernel

  friend bool operator==(const FunctionCoverage&, const FunctionCoverage&) = default;
};

struct FileCoverage {
  std::string file;
  std::vector<LineCoverage> lines;          // ascending
  std::vector<FunctionCoverage> functions;  // sorted by line, then by name

  friend bool operator==(const FileCoverage&, const FileCoverage&) = default;
};

struct SourceCoverage {
  std::vector<FileCoverage> files;  // sorted by name

  /// Returns the share of executed lines among those with instructions.
  [[nodiscard]] Share lines() const;
  /// Returns the share of executed directions among the two of each branch.
  [[nodiscard]] Share branches() const;

  friend bool operator==(const SourceCoverage&, const SourceCoverage&) = default;
};

/// Converts the coverage of a variant's launches to lines of its `.cu` and of its headers.
/// Instructions from headers of the CUDA Toolkit count for the line that calls them; their
/// branches, which do not depend on the case, are omitted. A guarded instruction is a branch, too;
/// a condition that the compiler replaced by a select instruction is none. Returns no files if no
/// launch completed.
[[nodiscard]] SourceCoverage source_coverage(const contract::Variant& variant,
                                             const device::Program& program,
                                             const device::Coverage& covered);

/// Adds the coverage of the same sources by another variant.
void merge(SourceCoverage& sum, const SourceCoverage& part);

}  // namespace warpcheck::campaign::coverage

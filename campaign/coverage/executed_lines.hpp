// The source lines of a kernel that its cases must execute, and those that they have not executed.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/coverage/source_places.hpp"
#include "contract/compile/variant.hpp"
#include "device/coverage.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::coverage {

struct SourceLine {
  std::string file;
  unsigned line = 0;

  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

struct ExecutedLines {
  std::int64_t required = 0;           // lines that a case must execute
  std::vector<SourceLine> unexecuted;  // required lines that no case executed; ascending

  friend bool operator==(const ExecutedLines&, const ExecutedLines&) = default;
};

/// The parts of a program that some warp executed: basic blocks and guarded instructions, by
/// numbers that are the same for each load of the same program.
using ExecutedParts = std::vector<std::uint32_t>;

/// Returns the parts that `covered` contains and `sum` does not.
[[nodiscard]] ExecutedParts new_parts(const device::Coverage& sum, const device::Coverage& covered);

/// Marks the parts as executed. Parts that `sum` does not contain are ignored.
void mark(device::Coverage& sum, const ExecutedParts& parts);

/// Reads the executed lines from the sum of the coverage of a variant's launches.
///
/// A case must execute each line of the `.cu` and of its headers that has an instruction, except:
/// - lines with instructions that only lead to a trap or to a failed assertion;
/// - lines that marked_lines() excludes;
/// - lines whose statement was executed although their instructions were not. If the compiler
///   copies a loop and moves the computation of an index out of one copy, only the copy that is not
///   executed has instructions of that line. Such a line has only integer instructions, and the
///   loads, stores and other work around each of them have executed copies.
class ExecutedLinesReader {
 public:
  ExecutedLinesReader(const contract::Variant& variant, const device::Program& program)
      : variant_(variant), program_(program) {}

  [[nodiscard]] ExecutedLines read(const device::Coverage& sum);

 private:
  void find_places(const device::Coverage& sum);
  [[nodiscard]] bool is_marked(const SourceLine& line);

  const contract::Variant& variant_;
  const device::Program& program_;
  std::size_t known_blocks_ = 0;  // number of blocks with known places
  Places places_;
  std::set<std::uint32_t> fatal_;  // first instructions of blocks that lead to a trap
  std::map<std::string, std::set<unsigned>> marks_;  // marked lines by file
};

}  // namespace warpcheck::campaign::coverage

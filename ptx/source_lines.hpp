// Computes the line of the `.cu` that applies, from the .loc directives that were read (PTX ISA
// 11.5.2).
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

class SourceLines {
 public:
  /// The largest number of calls that is kept, the innermost ones: recursion can make chains of any
  /// length.
  static constexpr std::size_t kLongestChain = 64;

  /// Starts a function: no line applies, and nothing is inlined.
  void begin_function();

  /// Reads `.loc line`, inlined at `inlined_at` if that is given. If an earlier .loc of this
  /// function describes `inlined_at` as inlined itself, its calls follow. Line 0, which nvcc writes
  /// for code without a line, keeps the line that applies.
  void locate(const SourceLine& line, const std::optional<SourceLine>& inlined_at);

  /// Index of the location that applies; empty before the first .loc.
  [[nodiscard]] std::optional<unsigned> current() const { return current_; }

  /// Fills Module::locations with the locations that instructions use, in the order of their first
  /// use.
  void fill(Module& module) const;

 private:
  using Key = std::tuple<unsigned, unsigned, unsigned>;
  static Key key(const SourceLine& line) { return {line.file, line.line, line.column}; }

  std::vector<SourceLocation> table_;
  std::map<std::vector<Key>, unsigned> index_;  // maps a line and its calls to an index in table_
  std::map<Key, unsigned> last_at_;             // maps a line to its last location in this function
  std::optional<unsigned> current_;
};

}  // namespace warpcheck::ptx

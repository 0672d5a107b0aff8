// Which line of the `.cu` is in force: what .loc directives said so far (PTX ISA 11.5.2).
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

class SourceLines {
 public:
  /// A function may be inlined into itself without end; of longer chains the inner end is kept.
  static constexpr std::size_t kLongestChain = 64;

  /// A function begins: no line is in force, and nothing was inlined yet.
  void begin_function();

  /// `.loc line`, inlined at `inlined_at` if that is given. Where an earlier .loc of this function
  /// named that place as itself inlined, the chain goes on from there. Line 0, which nvcc writes
  /// for code that belongs to no line, leaves the line in force.
  void locate(const SourceLine& line, const std::optional<SourceLine>& inlined_at);

  /// Index into the table of the location in force; empty where no .loc was seen.
  [[nodiscard]] std::optional<unsigned> current() const { return current_; }

  /// Makes the table Module::locations: those that instructions use, in the order of their first
  /// use.
  void fill(Module& module) const;

 private:
  using Key = std::tuple<unsigned, unsigned, unsigned>;
  static Key key(const SourceLine& line) { return {line.file, line.line, line.column}; }

  std::vector<SourceLocation> table_;
  std::map<std::vector<Key>, unsigned> index_;  // of a line and its chain, in table_
  std::map<Key, unsigned> last_at_;             // the last location of this function at a place
  std::optional<unsigned> current_;
};

}  // namespace warpcheck::ptx

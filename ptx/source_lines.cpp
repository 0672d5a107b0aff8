#include "ptx/source_lines.hpp"

namespace warpcheck::ptx {

void SourceLines::begin_function() {
  last_at_.clear();
  current_.reset();
}

void SourceLines::locate(const SourceLine& line, const std::optional<SourceLine>& inlined_at) {
  if (line.line == 0) return;
  SourceLocation location{line, {}};
  std::vector<Key> identity{key(line)};
  if (inlined_at) {
    location.inlined_at.push_back(*inlined_at);
    if (const auto outer = last_at_.find(key(*inlined_at)); outer != last_at_.end()) {
      for (const SourceLine& call : table_[outer->second].inlined_at) {
        if (location.inlined_at.size() < kLongestChain) location.inlined_at.push_back(call);
      }
    }
    for (const SourceLine& call : location.inlined_at) identity.push_back(key(call));
  }
  const auto [entry, added] =
      index_.try_emplace(std::move(identity), static_cast<unsigned>(table_.size()));
  if (added) table_.push_back(std::move(location));
  current_ = last_at_[key(line)] = entry->second;
}

void SourceLines::fill(Module& module) const {
  std::vector<std::optional<unsigned>> renumbered(table_.size());
  for (Function& function : module.functions) {
    for (Instruction& instruction : function.body) {
      if (!instruction.location) continue;
      std::optional<unsigned>& number = renumbered[*instruction.location];
      if (!number) {
        number = static_cast<unsigned>(module.locations.size());
        module.locations.push_back(table_[*instruction.location]);
      }
      instruction.location = number;
    }
  }
}

}  // namespace warpcheck::ptx

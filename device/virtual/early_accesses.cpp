#include "device/virtual/early_accesses.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "device/virtual/machine/core/source_place.hpp"

namespace warpcheck::device {
namespace {

/// A race of the range with the kernel launched before.
Finding race(const machine::Program& program, const AccessedRange& range,
             const SharedWithPredecessor& shared) {
  const bool writes = range.kinds.any_write();
  const std::size_t element = (range.address - shared.address) / shared.element_bytes;
  Finding finding;
  finding.kind = FindingClass::race;
  finding.source = machine::source_place(program, range.op);
  finding.memory =
      MemoryPlace{shared.name, static_cast<std::ptrdiff_t>(element * shared.element_bytes),
                  shared.element_bytes, writes};
  finding.race = Race{.kind = Race::Kind::predecessor, .writes = shared.is_written};
  return finding;
}

}  // namespace

std::vector<Finding> early_accesses(const machine::Program& program,
                                    const checks::GlobalRaces& races,
                                    const std::vector<SharedWithPredecessor>& shared) {
  std::vector<Finding> findings;
  for (const SharedWithPredecessor& memory : shared) {
    std::vector<AccessedRange> ranges;
    races.add_early_accesses(memory.address, ranges);
    std::map<std::uint32_t, AccessedRange> first;  // the first range of each instruction
    for (const AccessedRange& range : ranges) {
      if (!memory.is_written && !range.kinds.any_write()) continue;
      const auto [known, is_new] = first.try_emplace(range.op, range);
      if (!is_new && range.address < known->second.address) known->second = range;
    }
    for (const auto& [op, range] : first) findings.push_back(race(program, range, memory));
  }
  return findings;
}

}  // namespace warpcheck::device
